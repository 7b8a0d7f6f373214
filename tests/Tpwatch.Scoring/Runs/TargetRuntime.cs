namespace Tpwatch.Scoring.Runs;

/// <summary>Which runtime a fixture runs on.</summary>
public enum TargetRuntime
{
    /// <summary>.NET 8, published with its own runtime.</summary>
    Net8,

    /// <summary>.NET 9, published with its own runtime.</summary>
    Net9,

    /// <summary>The machine's own .NET 10.</summary>
    Net10,

    /// <summary>.NET 11, published with its own runtime.</summary>
    Net11,
}
