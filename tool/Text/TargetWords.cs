namespace Tpwatch.Text;

/// <summary>The target and the limits of its pool in words; unknown values are left out, or named once as not known.</summary>
static class TargetWords
{
    /// <summary>Name, pid and runtime: <c>OrderApi, pid 41822, .NET 10.0.1</c>.</summary>
    public static string Brief(TargetFacts target) => Joined(Facts(target).Prepend(target.Name));

    /// <summary>Name, pid, runtime and platform: <c>OrderApi, pid 41822, .NET 10.0.1, Linux x64</c>.</summary>
    public static string Whole(TargetFacts target) =>
        Joined([target.Name, .. Facts(target), string.Join(' ', new[] { target.Os, target.Architecture }.OfType<string>())]);

    /// <summary><c>pid 41822</c> and <c>.NET 10.0.1</c>, as far as known.</summary>
    public static IEnumerable<string> Facts(TargetFacts target) => new[]
    {
        target.Pid == 0 ? null : $"pid {Words.Pid(target)}",
        target.RuntimeVersion is { } version ? $".NET {version}" : null,
    }.OfType<string>();

    /// <summary>
    /// The limits with their sources: <c>8 processors (reported by the runtime), MinThreads 8 (default); MaxThreads not known</c>.
    /// </summary>
    public static string Pool(TargetFacts target)
    {
        (string Name, SourcedValue Of, string? Known)[] limits =
        [
            ("processors", target.Processors, target.Processors.Value is { } count ? Format.Plural(count, "processor") : null),
            ("MinThreads", target.MinWorkers, target.MinWorkers.Value is { } min ? $"MinThreads {Format.Count(min)}" : null),
            ("MaxThreads", target.MaxWorkers, target.MaxWorkers.Value is { } max ? $"MaxThreads {Format.Count(max)}" : null),
        ];
        var known = string.Join(", ", limits.Where(l => l.Known is not null).Select(l => $"{l.Known} ({Source(l.Of.Source)})"));
        var missing = limits.Where(l => l.Known is null).Select(l => l.Name).ToArray();
        var not = missing.Length == 0 ? ""
            : $"{string.Join(", ", missing[..^1])}{(missing.Length > 1 ? " and " : "")}{missing[^1]} not known";
        return string.Join("; ", new[] { known, not }.Where(part => part.Length > 0));
    }

    /// <summary>The source of a value, in words.</summary>
    public static string Source(SettingSource source) => source switch
    {
        SettingSource.Event => "reported by the runtime",
        SettingSource.Environment => "environment variable",
        SettingSource.Runtimeconfig => "runtimeconfig.json",
        SettingSource.Memory => "read from the process's memory",
        var other => Words.Of(other),
    };

    static string Joined(IEnumerable<string> parts) => string.Join(", ", parts.Where(part => part.Length > 0).Select(Words.OneLine));
}
