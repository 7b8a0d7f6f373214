using System.CommandLine;
using System.CommandLine.Parsing;

namespace Tpwatch.Options;

/// <summary>Explains why a command line cannot be parsed, in one sentence and a hint, and never prints the whole help.</summary>
static class Mistyped
{
    /// <summary>Returns the exception that explains the errors of a parse.</summary>
    public static UserErrorException Explain(ParseResult parse)
    {
        var command = parse.CommandResult.Command;
        if (InPlaceOfAFile(parse) is { } mistyped)
        {
            return Option(mistyped, command);
        }

        if (parse.UnmatchedTokens is [var word, ..])
        {
            return word.StartsWith('-') ? Option(word, command) : Word(word, command);
        }

        // An error that OptionKinds.Refuse added has a hint after a line break, and takes precedence over the library's own errors.
        return (parse.Errors.FirstOrDefault(e => e.Message.Contains('\n', StringComparison.Ordinal)) ?? parse.Errors[0]) switch
        {
            { Message: var message } when message.Split('\n', 2) is [var sentence, var hint] => Refused(sentence, hint),
            { SymbolResult: OptionResult { IdentifierToken: { } token } option } => Value(token.Value, option),
            { SymbolResult.Parent: OptionResult { IdentifierToken: { } token } option } => Value(token.Value, option),
            var other => Refused(
                char.ToLowerInvariant(other.Message[0]) + other.Message[1..].TrimEnd('.'),
                $"'{Spelled(command)} --help' shows what goes here"),
        };
    }

    /// <summary>Refuses options before the command's name: such options belong to the root command, and would have no effect.</summary>
    public static void RefuseBeforeVerb(ParseResult parse)
    {
        var verb = parse.CommandResult.Command;
        if (verb is not RootCommand
            && parse.RootCommandResult.Children.OfType<OptionResult>().FirstOrDefault(o => !o.Implicit) is { } early)
        {
            throw Refused($"{early.IdentifierToken?.Value ?? early.Option.Name} comes before the command '{verb.Name}'",
                $"write the option after '{verb.Name}'");
        }
    }

    /// <summary>Refuses <c>-- COMMAND</c> for commands that observe no launched program.</summary>
    public static void RefuseCommand(ParseResult parse, IReadOnlyList<string>? command)
    {
        if (command is not null
            && parse.CommandResult.Command is not (RootCommand or { Name: "report" or "record" or "whatif" }) and var verb)
        {
            throw Refused(
                $"'{verb.Name}' cannot launch a program", "leave out -- and everything after it, or write dotnet tpwatch -- COMMAND");
        }
    }

    static string? InPlaceOfAFile(ParseResult parse) =>
        parse.CommandResult.Children.OfType<ArgumentResult>()
            .Where(a => a.Argument.Arity.MaximumNumberOfValues == 1).SelectMany(a => a.Tokens)
            .Select(t => t.Value).FirstOrDefault(v => v.StartsWith('-'));

    static UserErrorException Value(string name, OptionResult option) => option.Tokens.Count == 0
        ? Refused($"{name} needs a value", $"write {name} {option.Option.HelpName}")
        : Refused($"{name} was given more than once", $"write {name} {option.Option.HelpName} once");

    static UserErrorException Option(string word, Command command)
    {
        var known = command.Options.SelectMany(o => o.Aliases.Append(o.Name));
        return Refused(command is RootCommand ? $"there is no option '{word}'" : $"'{command.Name}' has no option '{word}'",
            Nearest(word, known) is { } near ? $"did you mean '{near}'?" : $"'{Spelled(command)} --help' lists the options");
    }

    static UserErrorException Word(string word, Command command)
    {
        if (command is not RootCommand)
        {
            return Refused($"'{command.Name}' does not take '{word}'", $"'{Spelled(command)} --help' shows its arguments and options");
        }

        var verbs = command.Subcommands.Select(c => c.Name).ToList();
        var hint = word.Length > 0 && word.All(char.IsAsciiDigit) ? $"for a process, write -p {word}"
            : Elsewhere(word) is { } ours ? ours
            : Nearest(word, verbs) is { } near ? $"did you mean '{near}'?"
            : $"the commands are {string.Join(", ", verbs)}; to watch a process of that name, write -n {word}";
        return Refused($"there is no command '{word}'", hint);
    }

    // Hint for a command name that other diagnostic tools use.
    static string? Elsewhere(string word) => word switch
    {
        "watch" or "monitor" or "attach" => "watching needs no command: dotnet tpwatch -p PID",
        "collect" => "that command is called 'record' here",
        "list" => "that command is called 'ps' here",
        _ => null,
    };

    /// <summary>Returns the most similar known word; null if its edit distance exceeds both 1 and a third of its length.</summary>
    public static string? Nearest(string word, IEnumerable<string> words)
    {
        var best = words.Select(w => (Word: w, Distance: Distance(word, w))).MinBy(c => c.Distance);
        return best.Word is { } near && best.Distance <= Math.Max(1, near.Length / 3) ? near : null;
    }

    // The optimal string alignment distance: number of letters deleted, inserted or replaced, and of neighbours swapped.
    static int Distance(string a, string b)
    {
        var table = new int[a.Length + 1, b.Length + 1];
        for (var i = 0; i <= a.Length; i++)
        {
            for (var j = 0; j <= b.Length; j++)
            {
                table[i, j] = i == 0 || j == 0 ? i + j : Step(a, b, i, j, table);
            }
        }

        return table[a.Length, b.Length];
    }

    static int Step(string a, string b, int i, int j, int[,] table)
    {
        var cost = Math.Min(
            Math.Min(table[i - 1, j], table[i, j - 1]) + 1,
            table[i - 1, j - 1] + (char.ToLowerInvariant(a[i - 1]) == char.ToLowerInvariant(b[j - 1]) ? 0 : 1));
        return i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] ? Math.Min(cost, table[i - 2, j - 2] + 1) : cost;
    }

    static string Spelled(Command command) => command is RootCommand ? "dotnet tpwatch" : $"dotnet tpwatch {command.Name}";

    static UserErrorException Refused(string sentence, string hint) => new(sentence, hint, ExitCode.Arguments);
}
