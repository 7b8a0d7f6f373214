using System.Text.Json;
using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Builds the words for enum values in all outputs. Programs read these words, so the words do not change.</summary>
static class Words
{
    /// <summary>The word for <see cref="DelayVerdict.AsExpected"/>; it differs from the name, because programs read the old word.</summary>
    const string Fits = "fits";

    /// <summary>Returns the word for a value in camel case, such as <c>silentlyStarved</c> or <c>noRule</c>.</summary>
    public static string Of<T>(T value) where T : struct, Enum =>
        value is DelayVerdict.AsExpected ? Fits : JsonNamingPolicy.CamelCase.ConvertName(value.ToString());

    /// <summary>Returns the code of a rule of the runtime, such as <c>G1</c>; null for no rule.</summary>
    public static string? Code(Mechanism rule) => rule == Mechanism.None ? null : $"G{(int)rule}";

    /// <summary>Returns the code of a rule of the runtime; empty for no rule.</summary>
    public static string CodeOrNothing(Mechanism rule) => Code(rule) ?? "";

    /// <summary>Returns the value, or null for NaN and infinity.</summary>
    public static double? Known(double? value) => value is { } v && double.IsFinite(v) ? v : null;

    /// <summary>Returns the process id, or <c>?</c> if a recording does not contain it.</summary>
    public static string Pid(TargetFacts target) =>
        target.Pid == 0 ? "?" : target.Pid.ToString(CultureInfo.InvariantCulture);

    /// <summary>Whether it is known if items waited: false for an undecided verdict without counter samples.</summary>
    public static bool IsStarvingKnown(PoolReport report) =>
        report.StarvedMs > 0 || report.Verdict != Verdict.Undecided || !report.Timeline.CounterSamples.IsEmpty;

    /// <summary>Returns the text on one line, without control characters, because text from a target may contain them.</summary>
    public static string OneLine(string text) =>
        string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)
            .Select(word => new string(word.Where(c => !char.IsControl(c)).ToArray())));
}

/// <summary>Builds parts of sentences that several reports share.</summary>
static class Phrases
{
    /// <summary>Returns why no stacks were taken although the user requested them.</summary>
    public static string NoBurst(PoolReport report) => report.Bursts is { Remarks: [var first, ..] }
        ? char.ToLowerInvariant(first[0]) + Words.OneLine(first)[1..].TrimEnd('.')
        : NoPoolEvents.Is(report.Timeline) ? "the pool sent no event, so it is not known whether items waited"
        : report.Depth.HasFlag(CaptureDepth.Auto) ? "no work item waited or hung for two seconds"
        : "no work item waited while tpwatch watched";

    /// <summary>Returns the number of stack bursts and memory readings: <c>2 bursts of stacks and 1 reading of the memory</c>.</summary>
    public static string Taken(StackBursts bursts)
    {
        var readings = bursts.Taken.Count(b => b.IsReading);
        return string.Join(" and ", new[]
        {
            readings < bursts.Taken.Length ? $"{Format.Plural(bursts.Taken.Length - readings, "burst")} of stacks" : "",
            readings > 0 ? $"{Format.Plural(readings, "reading")} of the memory" : "",
        }.Where(part => part.Length > 0));
    }

    /// <summary>Returns a clause with the maximum time for which the stack bursts paused the target.</summary>
    public static string PausedBy(StackBursts bursts) => bursts.AreReadings
        ? "the process was not paused"
        : $"taking them all paused the process for at most {Format.Duration(bursts.PausedMs)} in total";

    /// <summary>Returns the time in which items waited and its share of the capture: <c>11.1 s of 30.0 s (37%)</c>.</summary>
    public static string Starved(PoolReport report)
    {
        var whole = report.Timeline.Now.MsSince(report.Timeline.Start);
        var share = whole > 0 ? $" of {Format.Duration(whole)} ({Format.Percent(report.StarvedMs / whole)})" : "";
        return report.StarvedMs > 0 ? Format.Duration(report.StarvedMs) + share : Words.IsStarvingKnown(report) ? "never" : NotKnown;
    }

    /// <summary>Returns how many finding rules found nothing and how many are undecided: <c>14 checks clear, 2 undecided</c>.</summary>
    public static string Checks(PoolReport report) => string.Join(", ", new[]
    {
        report.Clear.IsEmpty ? "" : $"{Format.Plural(report.Clear.Length, "check")} clear",
        report.Undecided.IsEmpty ? "" : $"{Format.Count(report.Undecided.Length)} undecided",
    }.Where(part => part.Length > 0));

    const string NotKnown = "not known";

    /// <summary>Returns a peak value and other values, as far as known: <c>peak 18; last 17, target 18</c>.</summary>
    public static string Levels(string? peak, params string?[] others) => new[] { peak, string.Join(", ", others.OfType<string>()) }
        .Where(part => part is { Length: > 0 }).ToArray() is { Length: > 0 } known ? string.Join("; ", known) : NotKnown;

    /// <summary>Returns a number after its name: <c>peak 18</c>; null if it is not known.</summary>
    public static string? Named(string name, long? value) => value is { } known ? $"{name} {Format.Count(known)}" : null;

    /// <summary>Returns a count, or <c>?</c> if it is not known.</summary>
    public static string CountOr(long? value) => value is { } v ? Format.Count(v) : "?";
}

/// <summary>Builds texts about the target and the limits of its pool. Unknown values are left out, or listed as not known.</summary>
static class TargetWords
{
    /// <summary>Returns name, pid and runtime: <c>OrderApi, pid 41822, .NET 10.0.1</c>.</summary>
    public static string Brief(TargetFacts target) => Joined(Facts(target).Prepend(target.Name));

    /// <summary>Returns name, pid, runtime and platform: <c>OrderApi, pid 41822, .NET 10.0.1, Linux x64</c>.</summary>
    public static string Whole(TargetFacts target) =>
        Joined([target.Name, .. Facts(target), string.Join(' ', new[] { target.Os, target.Architecture }.OfType<string>())]);

    /// <summary>Returns <c>pid 41822</c> and <c>.NET 10.0.1</c>, as far as known.</summary>
    public static IEnumerable<string> Facts(TargetFacts target) => new[]
    {
        target.Pid == 0 ? null : $"pid {Words.Pid(target)}",
        target.RuntimeVersion is { } version ? $".NET {version}" : null,
    }.OfType<string>();

    /// <summary>
    /// Returns the limits and their sources: <c>8 processors (reported by the runtime), MinThreads 8 (default); MaxThreads not known</c>.
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

    /// <summary>Returns where a value comes from, in words.</summary>
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

/// <summary>Builds texts about a finding's evidence: values are rounded to their precision, in the words of the documentation.</summary>
static class EvidenceText
{
    /// <summary>Minimum value that is rounded to a whole number; smaller values have one decimal.</summary>
    const double Whole = 9.95;

    /// <summary>Returns text and value of the evidence: <c>Longest queue: 22 items</c>; only the text if there is no value.</summary>
    public static string Of(Evidence evidence) => Words.Known(evidence.Value) is { } value
        ? $"{Words.OneLine(evidence.Text)}{evidence.Joint}{Value(value, evidence)}"
        : Words.OneLine(evidence.Text);

    /// <summary>Returns the value with its unit; empty if there is no value.</summary>
    public static string Figure(Evidence evidence) => Words.Known(evidence.Value) is { } value ? Value(value, evidence) : "";

    /// <summary>Returns where the evidence comes from, in words for people.</summary>
    public static string Source(Evidence evidence) => Words.OneLine(evidence.Source) switch
    {
        "heartbeat" => "counter samples",
        "gap ledger" => "injection delays",
        "event 55" => "thread count adjustments",
        "event 59" or "configuration or event 59" => "settings",
        "event 31" or "events 30 and 31" => "events of work items",
        "stacks, event 81" => "stacks and lock events",
        "stacks, heartbeat" => "stacks and counter samples",
        "hindrances" => "state of the process",
        "memory" => "memory of the process",
        var other => other,
    };

    // Returns the value with its unit. An estimated duration is rounded more than a measured one.
    static string Value(double value, Evidence evidence) =>
        evidence is { Unit: "ms", IsEstimate: true } ? Format.Rough(value) : Value(value, evidence.Unit ?? "");

    static string Value(double value, string unit) => unit is "ms"
        ? Format.Duration(value)
        : unit is ['%', ..] ? $"{Number(value)}{unit}"
        : $"{Number(value)} {Unit(unit, Number(value) is "1" or "-1")}".TrimEnd();

    static string Number(double value) =>
        double.IsInteger(value) || Math.Abs(value) >= Whole ? Format.Count((long)Math.Round(value))
        : value is > 0 and < 0.1 ? "less than 0.1"
        : value.ToString("0.#", CultureInfo.InvariantCulture);

    static string Unit(string unit, bool one) => unit switch
    {
        "workers" or "worker" => one ? "worker thread" : "worker threads",
        "gaps" => one ? "injection delay" : "injection delays",
        "items" or "threads" or "times" when one => unit[..^1],
        _ => unit,
    };
}
