using System.CommandLine;
using System.CommandLine.Parsing;

namespace Tpwatch.Options;

/// <summary>
/// Options with parsers of their own, so that a mistake becomes a sentence and a hint instead of the library's text. One error message
/// carries both, separated by a line break.
/// </summary>
static class OptionKinds
{
    /// <summary>An option with a duration above zero.</summary>
    public static Option<TimeSpan?> Duration(string name, string description) => new(name)
    {
        Description = description,
        HelpName = "30s|5m|1h",
        CustomParser = result => DurationText.TryParse(Text(result), out var value)
            ? value
            : Refuse<TimeSpan?>(result, $"'{Text(result)}' is not a valid duration for {name}", "write 250ms, 30s, 5m, 1h or dd:hh:mm:ss"),
    };

    /// <summary>An option with a whole number in a range.</summary>
    public static Option<int?> Number(string name, string[] aliases, string description, int min, int max) => new(name, aliases)
    {
        Description = description,
        HelpName = "N",
        CustomParser = result =>
            int.TryParse(Text(result), NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            && value >= min && value <= max
                ? value
                : Refuse<int?>(result, $"'{Text(result)}' is not a valid number for {Given(result, name)}",
                    string.Create(CultureInfo.InvariantCulture, $"write a whole number from {min} to {max}")),
    };

    /// <summary>An option with process ids, separated by commas or given repeatedly.</summary>
    public static Option<IReadOnlyList<int>?> ProcessIds(string description, bool several) => new("--process-id", "-p", "--pid")
    {
        Description = description,
        HelpName = several ? "N[,N...]" : "N",
        Arity = several ? ArgumentArity.OneOrMore : ArgumentArity.ExactlyOne,
        CustomParser = result => ProcessIdsOf(result, several),
    };

    /// <summary>An option with one of several words, in any case; null when not given, which means the first word.</summary>
    public static Option<string?> Choice(string name, string description, params string[] words) => new(name)
    {
        Description = $"{description} (default: {words[0]})",
        HelpName = string.Join('|', words),
        CompletionSources = { words },
        CustomParser = result => words.FirstOrDefault(w => w.Equals(Text(result), StringComparison.OrdinalIgnoreCase))
            ?? Refuse<string?>(result, $"'{Text(result)}' is not a value of {name}", $"choose one of {string.Join(", ", words)}"),
    };

    /// <summary>An argument with a file to read; <see cref="Mistyped"/> explains a mistyped option in its place.</summary>
    public static Argument<string?> File(string description, ArgumentArity arity, string name = "FILE") => new(name)
    {
        Description = description,
        Arity = arity,
        CustomParser = result =>
            Text(result) is ['-', ..] word ? Refuse<string?>(result, $"'{word}' is not a file", "give a .nettrace file") : Text(result),
    };

    /// <summary>Adds an error with a sentence and a hint.</summary>
    public static T? Refuse<T>(ArgumentResult result, string sentence, string hint)
    {
        result.AddError($"{sentence}\n{hint}");
        return default;
    }

    /// <summary>The text of the first token; empty if there is none.</summary>
    public static string Text(ArgumentResult result) => result.Tokens.Count == 0 ? "" : result.Tokens[0].Value;

    static List<int>? ProcessIdsOf(ArgumentResult result, bool several)
    {
        List<int> ids = [];
        foreach (var word in result.Tokens.SelectMany(t => several ? t.Value.Split(',') : [t.Value]))
        {
            if (!int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var id) || id == 0)
            {
                return Refuse<List<int>>(result, $"'{word}' is not a valid number for {Given(result, "--process-id")}",
                    string.Create(CultureInfo.InvariantCulture, $"write a whole number from 1 to {int.MaxValue}")
                        + (several ? ", or several separated by commas" : ""));
            }

            ids.Add(id);
        }

        return [.. ids.Distinct()];
    }

    static string Given(ArgumentResult result, string name) =>
        result.Parent is OptionResult { IdentifierToken: { } token } ? token.Value : name;
}
