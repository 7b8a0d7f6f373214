namespace Tpwatch.Text;

/// <summary>Whose pool it is, how it is configured, and where each value was seen.</summary>
static class TargetRenderer
{
    // The runtime reads these as hexadecimal, and the limits beside them are told in decimal.
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
