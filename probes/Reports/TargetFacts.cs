namespace Tpwatch.Reports;

/// <summary>Where a value of the target's configuration was seen.</summary>
public enum SettingSource
{
    /// <summary>Not known; the value is null.</summary>
    Unknown,

    /// <summary>An event of the runtime said it.</summary>
    Event,

    /// <summary>The environment of the target's process.</summary>
    Environment,

    /// <summary>The target's runtimeconfig.json.</summary>
    Runtimeconfig,

    /// <summary>The runtime's default, nothing visible overrides it; a call from inside the program still may have.</summary>
    Default,

    /// <summary>Derived from what the pool did.</summary>
    Inferred,

    /// <summary>Read from the memory of the target's process.</summary>
    Memory,
}

/// <summary>A number that may be unknown, and where it was seen.</summary>
public sealed record SourcedValue(int? Value, SettingSource Source)
{
    /// <summary>A value that nobody has seen.</summary>
    public static SourcedValue Unknown { get; } = new(null, SettingSource.Unknown);
}

/// <summary>One setting of the pool as written in the target's configuration.</summary>
public sealed record PoolSetting(string Name, string Value, SettingSource Source)
{
    /// <summary>Its name, on one line.</summary>
    public string Name { get; init => field = ForeignText.Line(value); } = ForeignText.Line(Name);

    /// <summary>Its value, on one line.</summary>
    public string Value { get; init => field = ForeignText.Line(value); } = ForeignText.Line(Value);
}

/// <summary>
/// What is known of the observed process apart from its events. Of the environment only the pool's settings are kept.
/// A min or max that the program may have changed by a call is <see cref="SourcedValue.Unknown"/> on a late attach unless configuration
/// forces it; the event 59 or the pool's own behaviour replaces it later.
/// </summary>
public sealed record TargetFacts
{
    /// <summary>From this runtime on a wait for a lock has a frame of its own; before it, it looks like one in native code.</summary>
    internal const int FirstWithLockFrames = 10;

    /// <summary>Process id, in the watcher's own process-id namespace.</summary>
    public required int Pid { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public required string Name { get; init => field = ForeignText.Line(value); }

    /// <summary>The whole command line; screens and reports shorten it unless asked.</summary>
    public string? CommandLine { get; init => field = value is null ? null : ForeignText.Line(value); }

    /// <summary>Version of the runtime, such as 10.0.12.</summary>
    public string? RuntimeVersion { get; init => field = value is null ? null : ForeignText.Line(value); }

    /// <summary>Operating system as the runtime names it.</summary>
    public string? Os { get; init; }

    /// <summary>Processor architecture as the runtime names it.</summary>
    public string? Architecture { get; init; }

    /// <summary>Processors as the runtime counts them (affinity, quota and DOTNET_PROCESSOR_COUNT included).</summary>
    public SourcedValue Processors { get; init; } = SourcedValue.Unknown;

    /// <summary>Min worker threads: the floor below which a worker is created without delay.</summary>
    public SourcedValue MinWorkers { get; init; } = SourcedValue.Unknown;

    /// <summary>Max worker threads: the ceiling.</summary>
    public SourcedValue MaxWorkers { get; init; } = SourcedValue.Unknown;

    /// <summary>Every setting of the pool that environment or runtimeconfig holds, as written.</summary>
    public ImmutableArray<PoolSetting> Settings { get; init; } = [];

    /// <summary>Its process id means nothing here: only a diagnostic port leads to it.</summary>
    internal bool IsElsewhere { get; init; }

    /// <summary>Major version of the runtime, or null when unknown.</summary>
    public int? RuntimeMajor =>
        RuntimeVersion is { } v && int.TryParse(v.Split('.')[0], System.Globalization.CultureInfo.InvariantCulture, out var major)
            ? major
            : null;
}
