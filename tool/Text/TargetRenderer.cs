namespace Tpwatch.Text;

/// <summary>The report's section on the target: the process, its pool settings, and the source of each value.</summary>
static class TargetRenderer
{
    // The runtime reads these environment variables as hexadecimal, but the report writes the limits in decimal.
    static string Hexadecimal(PoolSetting setting) => setting is { Source: SettingSource.Environment, Value: { Length: > 1 } value }
        && setting.Name.EndsWith("WorkerThreads", StringComparison.Ordinal) && Targets.PoolLimits.Hexadecimal(value) is { } count
            ? $"; hexadecimal for {Format.Count(count)}" : "";

    /// <summary>The lines of the section.</summary>
    public static IEnumerable<string> Lines(TargetFacts target, bool showCommandLine) =>
        TextLayout.Title("Target")
            .Concat(TextLayout.Fact("process", TargetWords.Whole(target)))
            .Concat(target.CommandLine is { } c
                ? TextLayout.Fact("command", Words.OneLine(showCommandLine ? c : Targets.CommandLine.Shorten(c)))
                : [])
            .Concat(TextLayout.Fact("pool", TargetWords.Pool(target)))
            .Concat(
                target.Settings.SelectMany(s => TextLayout.Fact(
                    "setting", $"{s.Name}={Words.OneLine(s.Value)} ({TargetWords.Source(s.Source)}{Hexadecimal(s)})")));
}
