using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for the observed process.</summary>
sealed record TargetSection(
    int? Pid, string Name, string? CommandLine, string? Runtime, string? Os, string? Architecture,
    SourcedNumber Processors, SourcedNumber MinWorkers, SourcedNumber MaxWorkers, IReadOnlyList<SettingSection> Settings)
{
    /// <summary>Converts the facts about the target.</summary>
    public static TargetSection Of(TargetFacts target, bool showCommandLine) => new(
        target.Pid == 0 ? null : target.Pid, target.Name, CommandLineOf(target, showCommandLine),
        target.RuntimeVersion, target.Os, target.Architecture,
        SourcedNumber.Of(target.Processors), SourcedNumber.Of(target.MinWorkers), SourcedNumber.Of(target.MaxWorkers),
        [.. target.Settings.Select(s => new SettingSection(s.Name, s.Value, Words.Of(s.Source)))]);

    static string? CommandLineOf(TargetFacts target, bool whole) =>
        target.CommandLine is not { } c ? null : whole ? c : Targets.CommandLine.Shorten(c);
}

/// <summary>A number and its source.</summary>
sealed record SourcedNumber(int? Value, string Source)
{
    /// <summary>Converts a number from the facts about the target.</summary>
    public static SourcedNumber Of(SourcedValue value) => new(value.Value, Words.Of(value.Source));
}

/// <summary>A setting of the target as the user wrote it, and its source.</summary>
sealed record SettingSection(string Name, string Value, string Source);
