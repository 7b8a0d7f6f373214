using Tpwatch.Render.Shared;
using Tpwatch.Reports;

namespace Tpwatch.Render.Text;

/// <summary>Whose pool it is, how it is configured, and where each value was seen.</summary>
static class TargetRenderer
{
    /// <summary>The lines of the section.</summary>
    public static IEnumerable<string> Lines(TargetFacts target, bool showCommandLine) =>
        TextLayout.Title("Target")
            .Concat(TextLayout.Fact("process", Process(target)))
            .Concat(target.CommandLine is { } c
                ? TextLayout.Fact("command", Words.OneLine(showCommandLine ? c : Attach.Processes.CommandLine.Shorten(c)))
                : [])
            .Concat(TextLayout.Fact("pool",
                $"processors {Sourced(target.Processors)}, "
                + $"MinThreads {Sourced(target.MinWorkers)}, MaxThreads {Sourced(target.MaxWorkers)}"))
            .Concat(
                target.Settings.SelectMany(s => TextLayout.Fact("setting", $"{s.Name}={Words.OneLine(s.Value)} ({Words.Of(s.Source)})")));

    static string Process(TargetFacts target) =>
        string.Join(", ", new[]
        {
            $"{target.Name} pid {Words.Pid(target)}",
            target.RuntimeVersion is { } v ? $".NET {v}" : ".NET ?",
            target.Os is null && target.Architecture is null ? "system ?" : $"{target.Os ?? "?"} {target.Architecture ?? "?"}",
        }.Select(Words.OneLine));

    static string Sourced(SourcedValue value) => $"{Phrases.CountOr(value.Value)} ({Words.Of(value.Source)})";
}
