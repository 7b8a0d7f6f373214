namespace Tpwatch.Benchmarks.Remedies;

/// <summary>A service that suffers, and the same with something else.</summary>
/// <param name="Scenario">The scenario as it is.</param>
/// <param name="Remedy">What is tried, in words.</param>
/// <param name="Words">The same as a scenario with options.</param>
/// <param name="IsAdvised">Whether the report advises it; what it does not advise is tried to see that nothing comes of it.</param>
sealed record ServiceTrial(string Scenario, string Remedy, string Words, bool IsAdvised)
{
    public static ServiceTrial[] All { get; } =
    [
        new("connection-pool", "a connection pool of 40", "connection-pool --connections 40", true),
        new("connection-pool", "a quarter of the callers", "connection-pool --rate 15", true),
        new("connection-pool", "awaiting", "slow-database", true),
        new("connection-pool", "MinThreads 40", "connection-pool --min 40", false),
        new("result-of-query", "awaiting", "slow-database --connections 100 --hold 500", true),
        new("singleton-lock", "the lock held for a tenth", "singleton-lock --hold 10", true),
        new("singleton-lock", "MinThreads 100", "singleton-lock --min 100", false),
        new("file-log", "the lock held for a sixth", "file-log --hold 10", true),
        new("few-connections", "40 connections", "few-connections --connections 40", true),
        new("few-connections", "MinThreads 100", "few-connections --min 100", false),
        new("max-at-start", "MaxThreads 300, MinThreads as many", "max-at-start --min 300 --max 300", true),
        new("delay-at-max", "MaxThreads 16, as a first try", "delay-at-max --max 16", false),
    ];
}
