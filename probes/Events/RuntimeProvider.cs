namespace Tpwatch.Events;

/// <summary>The runtime's own provider.</summary>
static class RuntimeProvider
{
    public const string Name = "Microsoft-Windows-DotNETRuntime";

    /// <summary>Worker start, stop, wait, adjustments, min and max, thread creation: a few events a second.</summary>
    public const long Threading = 0x10000;

    /// <summary>Collections and the suspensions for them: about twenty events a collection.</summary>
    public const long Collections = 0x1;

    public static ProviderNeed Need { get; } = new(Name, ProviderNeed.Informational, Threading);
}
