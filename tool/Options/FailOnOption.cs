using System.CommandLine;
using Tpwatch.Assertions;
using Tpwatch.Diagnosis;

namespace Tpwatch.Options;

/// <summary>The option <c>--fail-on</c>: conditions under which the exit code of tpwatch makes a script or a build fail.</summary>
sealed class FailOnOption
{
    const string Words = "starvation, any, warning, serious, a rule such as TPW005, or a limit such as 'gap>600ms'";

    readonly Option<IReadOnlyList<Condition>?> failOn = new("--fail-on")
    {
        Description =
            "Exit with code 10 if a condition in LIST is met, and with 12 if tpwatch cannot tell. See dotnet tpwatch help fail-on.",
        HelpName = "LIST",
        CompletionSources = { _ => Known },
        CustomParser = result => Parse(OptionKinds.Text(result), out var mistake)
            ?? OptionKinds.Refuse<IReadOnlyList<Condition>>(result, mistake.Sentence, mistake.Hint),
    };

    /// <summary>Declares the option on a command.</summary>
    public void AddTo(Command command) => command.Options.Add(failOn);

    /// <summary>Returns the conditions that the user gave; empty without the option.</summary>
    public ImmutableArray<Condition> Read(ParseResult parse) => parse.GetValue(failOn) is { } asked ? [.. asked] : [];

    static List<Condition>? Parse(string list, out Mistake mistake)
    {
        mistake = new("--fail-on has no condition", $"write {Words}");
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

    static Condition? One(string word, ref Mistake mistake)
    {
        var at = word.IndexOf('>', StringComparison.Ordinal);
        if (at >= 0)
        {
            return Limit(word, at, ref mistake);
        }

        mistake = Measured(word) is { } measure
            ? new($"'{word}' has no limit in --fail-on",
                $"write it in quotes, because the shell treats > as a redirection: '{measure.Name}>{(measure.IsCount ? "100" : "600ms")}'")
            : new($"'{word}' is not a condition of --fail-on", Near(word) is { } near ? $"did you mean '{near}'?" : $"write {Words}");
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

    static ThresholdCondition? Limit(string word, int at, ref Mistake mistake)
    {
        var (name, value) = (word[..at].Trim(), word[(at + 1)..].Trim());
        if (Measured(name) is not { } measure)
        {
            mistake = new($"--fail-on cannot compare '{name}'",
                $"choose one of {string.Join(", ", Measure.All.Select(m => m.Name))}");
            return null;
        }

        mistake = new($"'{value}' is not a {(measure.IsCount ? "number" : "duration")} in --fail-on '{word}'",
            measure.IsCount ? "write a whole number" : "write 50ms, 1.5s or 1m");
        return Value(measure, value) is { } limit ? new($"{measure.Name}>{value}", measure, limit) : null;
    }

    // Zero is a valid limit: any injection delay meets the condition gap>0ms.
    static double? Value(Measure measure, string text) => measure.IsCount
        ? int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count) ? count : null
        : text is "0" or "0ms" or "0s" ? 0
        : DurationText.TryParse(text, out var duration) ? duration.TotalMilliseconds : null;

    static Measure? Measured(string name) => Measure.All.FirstOrDefault(m => m.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    readonly record struct Mistake(string Sentence, string Hint);

    static string? Near(string word) => Mistyped.Nearest(word, Known);

    static string[] Known =>
        ["starvation", "any", "warning", "serious", .. Measure.All.Select(m => m.Name), .. FindingCatalogue.Findings.Select(f => f.Id)];
}
