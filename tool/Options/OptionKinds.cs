using System.CommandLine;
using System.CommandLine.Parsing;

namespace Tpwatch.Options;

/// <summary>
/// Creates options with custom parsers, so that a mistake produces a sentence and a hint instead of the library's text. One error message
/// contains the sentence and the hint, separated by a line break.
/// </summary>
static class OptionKinds
{
    /// <summary>Creates an option for a duration above zero.</summary>
    public static Option<TimeSpan?> Duration(string name, string description) => new(name)
    {
        Description = description,
        HelpName = "30s|5m|1h",
        CustomParser = result => DurationText.TryParse(Text(result), out var value)
            ? value
            : Refuse<TimeSpan?>(result, $"'{Text(result)}' is not a valid duration for {name}", "write 250ms, 30s, 5m, 1h or dd:hh:mm:ss"),
    };

    /// <summary>Creates an option for a whole number in a range.</summary>
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

    /// <summary>Creates an option for process ids, which the user separates by commas or gives in repeated options.</summary>
    public static Option<IReadOnlyList<int>?> ProcessIds(string description, bool several) => new("--process-id", "-p", "--pid")
    {
        Description = description,
        HelpName = several ? "N[,N...]" : "N",
        Arity = several ? ArgumentArity.OneOrMore : ArgumentArity.ExactlyOne,
        CustomParser = result => ProcessIdsOf(result, several),
    };

    /// <summary>Creates an option for one of several words, in any case; a missing option is null, which means the first word.</summary>
    public static Option<string?> Choice(string name, string description, params string[] words) => new(name)
    {
        Description = $"{description} (default: {words[0]})",
        HelpName = string.Join('|', words),
        CompletionSources = { words },
        CustomParser = result => words.FirstOrDefault(w => w.Equals(Text(result), StringComparison.OrdinalIgnoreCase))
            ?? Refuse<string?>(result, $"'{Text(result)}' is not a value of {name}", $"choose one of {string.Join(", ", words)}"),
    };

    /// <summary>Creates an argument for a file to read; <see cref="Mistyped"/> explains a mistyped option in place of the file.</summary>
    public static Argument<string?> File(string description, ArgumentArity arity, string name = "FILE") => new(name)
    {
        Description = description,
        Arity = arity,
        CustomParser = result =>
            Text(result) is ['-', ..] word ? Refuse<string?>(result, $"'{word}' is not a file", "give a .nettrace file") : Text(result),
    };

    /// <summary>Adds an error with a sentence and a hint to the parse result; returns the default value.</summary>
    public static T? Refuse<T>(ArgumentResult result, string sentence, string hint)
    {
        result.AddError($"{sentence}\n{hint}");
        return default;
    }

    /// <summary>Returns the text of the first token; empty if the option has no token.</summary>
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
