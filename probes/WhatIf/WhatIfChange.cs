using Tpwatch.Pool;

namespace Tpwatch.WhatIf;

/// <summary>The algorithm that adds worker threads.</summary>
enum PolicyKind
{
    /// <summary>.NET 6 and later.</summary>
    Portable,

    /// <summary>.NET Framework 4 to .NET 5.</summary>
    Native,

    /// <summary>.NET 3.5.</summary>
    Clr35,

    /// <summary>.NET 1.1.</summary>
    Clr11,

    /// <summary>The Shared Source CLI.</summary>
    Rotor,
}

/// <summary>The changes to simulate; null and false mean unchanged.</summary>
sealed record WhatIfChange
{
    public int? Min { get; init; }
    public int? Max { get; init; }
    public int? Processors { get; init; }

    /// <summary>Whether items await instead of blocking.</summary>
    public bool Async { get; init; }

    /// <summary>The algorithm; null: that of the target.</summary>
    public PolicyKind? Policy { get; init; }

    /// <summary>Whether to use the clock of Windows, which is an assumption, instead of the one measured on Linux.</summary>
    public bool WindowsClock { get; init; }

    /// <summary>Whether nothing is changed.</summary>
    public bool IsNone => this == new WhatIfChange();

    /// <summary>The change in words: <c>MinThreads 100</c>.</summary>
    public string Words => string.Join(", ", new[]
    {
        Min is { } min ? $"MinThreads {Format.Count(min)}" : null,
        Max is { } max ? $"MaxThreads {Format.Count(max)}" : null,
        Processors is { } processors ? Format.Plural(processors, "processor") : null,
        Async ? "async instead of blocking" : null,
        Policy is { } policy ? $"the pool of {Era(policy)}" : null,
        WindowsClock ? "gate checks as on Windows (an assumption)" : null,
    }.OfType<string>());

    /// <summary>The settings with the change; MinThreads follows the processor count if it was equal to it.</summary>
    public PoolSettings Applied(PoolSettings was) => was with
    {
        Processors = Processors ?? was.Processors,
        Min = Min ?? (Processors is { } count && (was.Min == was.Processors || was.MinBasis != MinBasis.Known) ? count : was.Min),
        Max = Max ?? was.Max,
        MinBasis = Min is null ? was.MinBasis : MinBasis.Known,
    };

    /// <summary>Whether the pool has hill climbing, whose changes are inputs of the simulation.</summary>
    public bool Climbs => Policy is null or PolicyKind.Portable or PolicyKind.Native;

    /// <summary>
    /// The algorithm with the clock of Windows or of the measured Linux machines, which differ too little from one another to matter.
    /// </summary>
    public IInjectionPolicy NewPolicy()
    {
        var clock = WindowsClock ? GateClock.WindowsHypothesis : null;
        return Policy switch
        {
            PolicyKind.Native => new NativePolicy(clock ?? GateClock.LinuxMeasured),
            PolicyKind.Clr35 => new Clr35Policy(clock),
            PolicyKind.Clr11 => new Clr11Policy(clock),
            PolicyKind.Rotor => new RotorPolicy(clock),
            _ => new PortablePolicy(clock ?? GateClock.LinuxMeasured),
        };
    }

    static string Era(PolicyKind policy) => policy switch
    {
        PolicyKind.Native => ".NET Framework 4 to .NET 5",
        PolicyKind.Clr35 => ".NET Framework 3.5",
        PolicyKind.Clr11 => ".NET Framework 1.1",
        PolicyKind.Rotor => "the Shared Source CLI (Rotor)",
        _ => ".NET 6 and later",
    };
}
