using System.Collections.Immutable;
using System.CommandLine;
using System.Globalization;
using Tpwatch.Assertions.Conditions;
using Tpwatch.Reporting;
using Tpwatch.Reports;

namespace Tpwatch.Options;

/// <summary>What a script or a build does not want to see.</summary>
sealed class FailOnOption
{
    const string Words = "starvation, any, warning, serious, a rule such as TPW005, or a limit such as 'gap>600ms'";

    readonly Option<IReadOnlyList<Condition>?> failOn = new("--fail-on")
    {
        Description =
            "Exit code 10 when a condition of LIST is met, 12 when the capture cannot tell. "
                + "Conditions, with commas between them: starvation, any, warning, serious, rule ids, "
                + "and limits such as 'gap>600ms', 'starved>1s', 'backlog>100', 'queue-delay-p99>50ms'.",
        HelpName = "LIST",
        CustomParser = result => Parse(OptionKinds.Text(result), out var mistake)
            ?? OptionKinds.Refuse<IReadOnlyList<Condition>>(result, mistake.Sentence, mistake.Hint),
    };

    /// <summary>Declares the option on a command.</summary>
    public void AddTo(Command command) => command.Options.Add(failOn);

    /// <summary>What was asked for; empty when nothing was.</summary>
    public ImmutableArray<Condition> Read(ParseResult parse) => parse.GetValue(failOn) is { } asked ? [.. asked] : [];

    static List<Condition>? Parse(string list, out (string Sentence, string Hint) mistake)
    {
        mistake = ("--fail-on names nothing", $"write {Words}");
        var conditions = new List<Condition>();
        foreach (var word in list.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (One(word, ref mistake) is not { } condition)
            {
                return null;
            }

            conditions.Add(condition);
        }

        return conditions.Count == 0 ? null : conditions;
    }

    static Condition? One(string word, ref (string Sentence, string Hint) mistake)
    {
        var at = word.IndexOf('>', StringComparison.Ordinal);
        if (at >= 0)
        {
            return Limit(word, (word[..at].Trim(), word[(at + 1)..].Trim()), ref mistake);
        }

        mistake = Measured(word) is { } measure
            ? ($"'{word}' lacks its limit in --fail-on",
                $"write it in quotes, or the shell takes the rest for a file: '{measure.Name}>{(measure.IsCount ? "100" : "600ms")}'")
            : ($"'{word}' is not known for --fail-on", Near(word) is { } near ? $"did you mean '{near}'?" : $"write {Words}");
        return word.ToUpperInvariant() switch
        {
            "STARVATION" => new StarvationCondition("starvation"),
            "ANY" => new FindingCondition("any", Severity.Note),
            "WARNING" => new FindingCondition("warning", Severity.Warning),
            "SERIOUS" => new FindingCondition("serious", Severity.Serious),
            _ => FindingCatalogue.Findings.FirstOrDefault(f => f.Id.Equals(word, StringComparison.OrdinalIgnoreCase)) is { } rule
                ? new RuleCondition(rule.Id)
                : null,
        };
    }

    static ThresholdCondition? Limit(string word, (string Name, string Value) parts, ref (string Sentence, string Hint) mistake)
    {
        if (Measured(parts.Name) is not { } measure)
        {
            mistake = ($"'{parts.Name}' cannot be compared in --fail-on",
                $"choose one of {string.Join(", ", Measure.All.Select(m => m.Name))}");
            return null;
        }

        mistake = ($"'{parts.Value}' is no {(measure.IsCount ? "number" : "duration")} in --fail-on '{word}'",
            measure.IsCount ? "write a whole number" : "write 50ms, 1.5s or 1m");
        return Value(measure, parts.Value) is { } value ? new($"{measure.Name}>{parts.Value}", measure, value) : null;
    }

    // A limit of nothing is a limit: gap>0ms asks whether anything waited at all.
    static double? Value(Measure measure, string text) => measure.IsCount
        ? int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count) ? count : null
        : text is "0" or "0ms" or "0s" ? 0
        : DurationText.TryParse(text, out var duration) ? duration.TotalMilliseconds : null;

    static Measure? Measured(string name) => Measure.All.FirstOrDefault(m => m.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    static string? Near(string word) => Mistyped.Nearest(
        word,
        ["starvation", "any", "warning", "serious", .. Measure.All.Select(m => m.Name), .. FindingCatalogue.Findings.Select(f => f.Id)]);
}
