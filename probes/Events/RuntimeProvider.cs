namespace Tpwatch.Events;

/// <summary>The runtime's own event provider.</summary>
static class RuntimeProvider
{
    public const string Name = "Microsoft-Windows-DotNETRuntime";

    /// <summary>
    /// Keyword for worker start, stop and wait, adjustments, MinThreads and MaxThreads, thread creation: a few events a second.
    /// </summary>
    public const long Threading = 0x10000;

    /// <summary>Keyword for garbage collections and their suspensions: about twenty events per collection.</summary>
    public const long Collections = 0x1;

    public static ProviderNeed Need { get; } = new(Name, ProviderNeed.Informational, Threading);
}
