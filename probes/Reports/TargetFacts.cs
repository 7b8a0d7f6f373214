namespace Tpwatch.Reports;

/// <summary>The source of a value of the target's configuration.</summary>
public enum SettingSource
{
    /// <summary>Not known; the value is null.</summary>
    Unknown,

    /// <summary>An event of the runtime.</summary>
    Event,

    /// <summary>The environment of the target's process.</summary>
    Environment,

    /// <summary>The target's runtimeconfig.json.</summary>
    Runtimeconfig,

    /// <summary>The runtime's default: no visible setting overrides it, but a call inside the program may have changed it.</summary>
    Default,

    /// <summary>Not observed: the user typed the value on the screen.</summary>
    Inferred,

    /// <summary>The memory of the target's process.</summary>
    Memory,
}

/// <summary>A number that may be unknown, and its source.</summary>
public sealed record SourcedValue(int? Value, SettingSource Source)
{
    /// <summary>A value that is not known.</summary>
    public static SourcedValue Unknown { get; } = new(null, SettingSource.Unknown);
}

/// <summary>One setting of the pool, as written in the target's configuration.</summary>
public sealed record PoolSetting(string Name, string Value, SettingSource Source)
{
    /// <summary>The name, on one line.</summary>
    public string Name { get; init => field = UntrustedText.Line(value); } = UntrustedText.Line(Name);

    /// <summary>The value, on one line.</summary>
    public string Value { get; init => field = UntrustedText.Line(value); } = UntrustedText.Line(Value);
}

/// <summary>
/// Facts about the observed process: identity, runtime and settings. Of the environment, only the pool's settings are kept. After a late
/// attach, MinThreads or MaxThreads is <see cref="SourcedValue.Unknown"/> if the program may have changed the limit and no setting fixes
/// the limit. Event 59 or a memory reading may show the limit later.
/// </summary>
public sealed record TargetFacts
{
    /// <summary>
    /// First major version of the runtime in which lock waits have their own frame. In earlier versions, such waits look like native code.
    /// </summary>
    internal const int FirstWithLockFrames = 10;

    /// <summary>Process id, in tpwatch's own process-id namespace.</summary>
    public required int Pid { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public required string Name { get; init => field = UntrustedText.Line(value); }

    /// <summary>The whole command line; null if unknown. Screens and reports shorten it by default.</summary>
    public string? CommandLine { get; init => field = value is null ? null : UntrustedText.Line(value); }

    /// <summary>Version of the runtime, such as 10.0.12; null if unknown.</summary>
    public string? RuntimeVersion { get; init => field = value is null ? null : UntrustedText.Line(value); }

    /// <summary>Operating system as the runtime names it; null if unknown.</summary>
    public string? Os { get; init; }

    /// <summary>Processor architecture as the runtime names it; null if unknown.</summary>
    public string? Architecture { get; init; }

    /// <summary>Number of processors as the runtime counts them, with affinity, quota and DOTNET_PROCESSOR_COUNT applied.</summary>
    public SourcedValue Processors { get; init; } = SourcedValue.Unknown;

    /// <summary>MinThreads for worker threads: below this number, the pool creates a worker thread without delay.</summary>
    public SourcedValue MinWorkers { get; init; } = SourcedValue.Unknown;

    /// <summary>MaxThreads for worker threads: the upper limit.</summary>
    public SourcedValue MaxWorkers { get; init; } = SourcedValue.Unknown;

    /// <summary>All settings of the pool in the environment or runtimeconfig.json, as written.</summary>
    public ImmutableArray<PoolSetting> Settings { get; init; } = [];

    /// <summary>Whether the process id is meaningless on this machine, because only a diagnostic port reaches the target.</summary>
    internal bool IsElsewhere { get; init; }

    /// <summary>Major version of the runtime; null when unknown.</summary>
    public int? RuntimeMajor =>
        RuntimeVersion is { } v && int.TryParse(v.Split('.')[0], System.Globalization.CultureInfo.InvariantCulture, out var major)
            ? major
            : null;
}

/// <summary>Reads the pool's switches from the target's configuration and events.</summary>
static class PoolSwitch
{
    public const string DetectorDisabled = "DisableStarvationDetection";
    public const string WindowsPool = "UseWindowsThreadPool";
    const string Compensation = "CooperativeBlocking";
    const int FirstWithCompensationVariable = 11;

    /// <summary>Returns the setting that switches <paramref name="name"/> on; null when no setting does.</summary>
    public static PoolSetting? On(TargetFacts target, string name) => Of(target, name) is { } said && IsOn(said.Value) ? said : null;

    /// <summary>Returns the setting of this name, whatever its value. An environment variable comes first, as in the runtime.</summary>
    public static PoolSetting? Of(TargetFacts target, string name) =>
        target.Settings.Where(s => Is(s, name) && s.Value.Trim().Length > 0)
            .OrderByDescending(s => s.Source == SettingSource.Environment).ThenByDescending(s => IsOn(s.Value)).FirstOrDefault();

    /// <summary>
    /// Returns the setting that switches blocking compensation off; null when compensation is on. .NET 11 and later also read the
    /// environment variable (dotnet/runtime#128606).
    /// </summary>
    public static PoolSetting? CompensationOff(TargetFacts target) =>
        ((target.RuntimeMajor >= FirstWithCompensationVariable ? Of(target, Compensation) : null) ?? Of(target, "Blocking." + Compensation))
            is { } said && !IsOn(said.Value) ? said : null;

    // Settings are named DOTNET_ThreadPool_(name) in the environment and System.Threading.ThreadPool.(name) in runtimeconfig.json.
    static bool Is(PoolSetting setting, string name) =>
        setting.Name.EndsWith("ThreadPool_" + name, StringComparison.Ordinal)
        || setting.Name.EndsWith("ThreadPool." + name, StringComparison.Ordinal);

    public static bool IsOn(string value) =>
        value.Trim() is not ("" or "0" or "0x0") && !value.Trim().Equals("false", StringComparison.OrdinalIgnoreCase);
}
