using System.CommandLine;
using Tpwatch.Assertions;
using Tpwatch.Diagnosis;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Cli;

/// <summary>The options that select where and in which format a command writes its result.</summary>
/// <param name="formats">The formats; the first one is the default.</param>
sealed class PrintOptions(params string[] formats)
{
    readonly Option<string?> output =
        OptionKinds.Word("--output", ["-o"], "FILE", "Write to FILE instead of standard output.");

    readonly Option<string?> time =
        OptionKinds.Choice("--time", "Show times in UTC, or in seconds since the start", "utc", "elapsed");

    readonly Option<bool> showCommandLine =
        OptionKinds.Flag("--show-command-line", "Show the target's whole command line, which may contain secrets.");

    readonly Option<bool> verbose = OptionKinds.Flag("--verbose", "Write every detail as text, not only what to act on.");

    readonly Option<string?> format =
        OptionKinds.Choice("--format", "Output format; otherwise, the ending of FILE decides", formats);

    public bool HasVerbose { get; init; } = true;

    /// <summary>Whether the command has <c>--time</c> and <c>--show-command-line</c>.</summary>
    public bool HasTimes { get; init; } = true;

    public IEnumerable<Symbol> All =>
        [output, format, .. HasTimes ? [time, showCommandLine] : Array.Empty<Symbol>(), .. HasVerbose ? [verbose] : Array.Empty<Symbol>()];

    public OutputRequest Read(ParseResult parse) => new(
        parse.GetValue(output), parse.GetValue(format) ?? NamedBy(parse.GetValue(output)) ?? formats[0],
        HasTimes && parse.GetValue(time) == "elapsed" ? TimeStyle.Elapsed : TimeStyle.Utc,
        HasTimes && parse.GetValue(showCommandLine))
    { Verbose = HasVerbose && parse.GetValue(verbose) };

    // Returns the format that the name of the output file implies: trace.speedscope.json is speedscope, not JSON.
    string? NamedBy(string? file) => file is null ? null
        : formats.FirstOrDefault(f => Ends(file, $".{f}.json")) ?? formats.FirstOrDefault(f => Ends(file, $".{f}"));

    static bool Ends(string file, string ending) => file.EndsWith(ending, StringComparison.OrdinalIgnoreCase);
}

/// <summary>The options that turn the screen off or change its appearance.</summary>
sealed class ScreenOptions
{
    const int MaxFramesPerSecond = 60;

    readonly Option<bool> plain =
        OptionKinds.Flag("--plain", "No screen: one line for each change of state, finding to act on, and thread injection.");
    readonly Option<string?> color = OptionKinds.Choice("--color", "Colors of the screen", "auto", "always", "never", "16", "truecolor");
    readonly Option<string?> glyphs = OptionKinds.Choice("--glyphs", "Characters of the screen", "auto", "braille", "block", "ascii");
    readonly Option<string?> theme = OptionKinds.Choice("--theme", "Color theme of the screen", "auto", "dark", "light", "16", "mono");

    readonly Option<string?> mouse = OptionKinds.Choice("--mouse",
        "Whether the screen takes the mouse; with 'off', the terminal's own selection works", "on", "off");

    readonly Option<int?> fps = OptionKinds.Number(
        "--fps", [], $"Maximum number of redraws a second (default: {ScreenAppearance.DefaultFramesPerSecond}).", 1, MaxFramesPerSecond);

    public IEnumerable<Symbol> All => [plain, color, glyphs, theme, mouse, fps];

    /// <summary>Returns the requested appearance of the screen; null if the user wants no screen.</summary>
    public ScreenAppearance? Read(ParseResult parse, TimeStyle time) => parse.GetValue(plain)
        ? null
        : new(parse.GetValue(color) ?? "auto", parse.GetValue(glyphs) ?? "auto",
            parse.GetValue(theme), parse.GetValue(fps) ?? ScreenAppearance.DefaultFramesPerSecond, time)
        {
            Mouse = parse.GetValue(mouse) != "off",
        };
}

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

    public Option Option => failOn;

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
                ? new RuleFoundCondition(rule.Id)
                : null,
        };
    }

    static ThresholdCondition? Limit(string word, int at, ref Mistake mistake)
    {
        var (name, value) = (word[..at].Trim(), word[(at + 1)..].Trim());
        if (Measured(name) is not { } measure)
        {
            mistake = new($"--fail-on cannot compare '{name}'",
                $"choose one of {string.Join(", ", ConditionMeasure.All.Select(m => m.Name))}");
            return null;
        }

        mistake = new($"'{value}' is not a {(measure.IsCount ? "number" : "duration")} in --fail-on '{word}'",
            measure.IsCount ? "write a whole number" : "write 50ms, 1.5s or 1m");
        return Value(measure, value) is { } limit ? new($"{measure.Name}>{value}", measure, limit) : null;
    }

    // Returns the limit, a count or milliseconds; null if the text is invalid. Zero is valid, because it matches every injection delay.
    static double? Value(ConditionMeasure measure, string text) => measure.IsCount
        ? int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count) ? count : null
        : text is "0" or "0ms" or "0s" ? 0
        : DurationParser.TryParse(text, out var duration) ? duration.TotalMilliseconds : null;

    static ConditionMeasure? Measured(string name) =>
        ConditionMeasure.All.FirstOrDefault(m => m.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    readonly record struct Mistake(string Sentence, string Hint);

    static string? Near(string word) => CommandLineErrors.Nearest(word, Known);

    static string[] Known =>
        ["starvation", "any", "warning", "serious", .. ConditionMeasure.All.Select(m => m.Name),
            .. FindingCatalogue.Findings.Select(f => f.Id)];
}
