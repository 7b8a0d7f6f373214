using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Help;
using System.CommandLine.Parsing;
using Tpwatch.Run;

namespace Tpwatch.Cli;

/// <summary>Builds the commands, parses the command line, and runs the command that the user named.</summary>
static class CommandLine
{
    /// <summary>Runs the command line; returns the exit code.</summary>
    /// <exception cref="UserErrorException">A foreseen failure, such as a mistyped argument.</exception>
    public static async Task<int> RunAsync(string[] args, CommandContext context)
    {
        // Answers --version without the commands, because building them takes longer.
        if (args is ["--version"])
        {
            await context.Out.WriteLineAsync(ToolVersion.Whole);
            await context.Out.FlushAsync(CancellationToken.None);
            return (int)ExitCode.Done;
        }

        var (own, command) = Split(args);
        context = context with { Command = command };
        // Response files are off, because a process name may begin with '@'.
        var parse = Root(context).Parse(own, new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (parse.Errors.Count > 0 && !AsksForHelp(parse))
        {
            throw CommandLineErrors.Explain(parse);
        }

        CommandLineErrors.RefuseBeforeVerb(parse);
        CommandLineErrors.RefuseCommand(parse, context.Command);

        // tpwatch handles signals itself: the library would end the process before tpwatch has closed its EventPipe session.
        var configuration = new InvocationConfiguration
        {
            Output = context.Out, Error = context.Error, EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null,
        };
        var code = await parse.InvokeAsync(configuration, CancellationToken.None);
        await context.Out.FlushAsync(CancellationToken.None);
        return code;
    }

    // Splits the words at "--". Command contains the words of the program to launch; it is null without "--".
    static (string[] Own, string[]? Command) Split(string[] args) =>
        Array.IndexOf(args, "--") is >= 0 and var at ? (args[..at], args[(at + 1)..]) : (args, null);

    static RootCommand Root(CommandContext context)
    {
        var root = new WatchCommand(context).Create();
        root.Subcommands.Add(new PsCommand(context).Create());
        root.Subcommands.Add(new ReportCommand(context).Create());
        root.Subcommands.Add(new RecordCommand(context).Create());
        root.Subcommands.Add(new ReplayCommand(context).Create());
        root.Subcommands.Add(new RulesCommand(context).Create());
        root.Subcommands.Add(new WhatIfCommand(context).Create());
        root.Subcommands.Add(new CompareCommand(context).Create());
        root.Subcommands.Add(new ServeCommand(context).Create());
        root.Subcommands.Add(new McpCommand(context).Create());
        root.Subcommands.Add(new DemoCommand(context).Create());
        root.Subcommands.Add(new CompletionCommand(context).Create());
        root.Subcommands.Add(new HelpCommand(context).Create());
        root.Options.OfType<HelpOption>().Single().Action = new CommandHelp(context);
        root.Directives.OfType<SuggestDirective>().Single().Action = new SuggestDirectiveAction(context);
        return root;
    }

    static bool AsksForHelp(ParseResult parse) => parse.Action is CommandHelp or SuggestDirectiveAction;
}

/// <summary>Explains in one sentence and a hint why a command line cannot be parsed.</summary>
static class CommandLineErrors
{
    /// <summary>Returns the exception that explains the first error of a parse.</summary>
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

        // An error from OptionKinds.Refuse contains a line break before its hint. Such an error takes precedence over the library's errors.
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

    /// <summary>Refuses options before the name of a command: the parser assigns them to the root command, without effect.</summary>
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

    /// <summary>Refuses <c>-- COMMAND</c> for commands that cannot launch a program.</summary>
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

    // Returns a hint if the word is a command name of another diagnostic tool, else null.
    static string? Elsewhere(string word) => word switch
    {
        "watch" or "monitor" or "attach" => "watching needs no command: dotnet tpwatch -p PID",
        "collect" => "that command is called 'record' here",
        "list" => "that command is called 'ps' here",
        _ => null,
    };

    /// <summary>Returns the most similar word; null if more than one letter and more than a third of its letters differ.</summary>
    public static string? Nearest(string word, IEnumerable<string> words)
    {
        var best = words.Select(w => (Word: w, Distance: Distance(word, w))).MinBy(c => c.Distance);
        return best.Word is { } near && best.Distance <= Math.Max(1, near.Length / 3) ? near : null;
    }

    // Returns the optimal string alignment distance: the minimum number of letters to delete, insert, replace or swap with a neighbour.
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
        var cost = Math.Min(Math.Min(table[i - 1, j], table[i, j - 1]) + 1, table[i - 1, j - 1] + (Same(i - 1, j - 1) ? 0 : 1));
        return i > 1 && j > 1 && Same(i - 1, j - 2) && Same(i - 2, j - 1) ? Math.Min(cost, table[i - 2, j - 2] + 1) : cost;

        bool Same(int inA, int inB) => char.ToLowerInvariant(a[inA]) == char.ToLowerInvariant(b[inB]);
    }

    static string Spelled(Command command) => command is RootCommand ? "dotnet tpwatch" : $"dotnet tpwatch {command.Name}";

    public static UserErrorException Refused(string sentence, string hint) => new(sentence, hint, ExitCode.Arguments);
}

/// <summary>
/// Creates options with custom parsers, so that a wrong value produces a sentence and a hint instead of the library's text. The library
/// accepts one text per error, so a line break separates the sentence and the hint.
/// </summary>
static class OptionKinds
{
    /// <summary>Declares arguments and options on a command; returns the command.</summary>
    public static T With<T>(this T command, IEnumerable<Symbol> symbols)
        where T : Command
    {
        foreach (var symbol in symbols)
        {
            if (symbol is Argument argument)
            {
                command.Arguments.Add(argument);
            }
            else
            {
                command.Options.Add((Option)symbol);
            }
        }

        return command;
    }

    /// <summary>Sets what a command runs; returns the command.</summary>
    public static T Does<T>(this T command, Func<ParseResult, Task<int>> run)
        where T : Command
    {
        command.SetAction((parse, _) => run(parse));
        return command;
    }

    public static Option<bool> Flag(string name, string description) => new(name) { Description = description };

    public static Option<string?> Word(string name, string[] aliases, string helpName, string description) =>
        new(name, aliases) { Description = description, HelpName = helpName };

    /// <summary>Creates an option whose value is parsed; a text for which <paramref name="parse"/> returns null is refused.</summary>
    /// <param name="what">What the value is, for the message about a wrong value.</param>
    public static Option<T?> Parsed<T>(
        string name, string helpName, string description, Func<string, T?> parse, string what, string hint) =>
        new(name)
        {
            Description = description,
            HelpName = helpName,
            CustomParser = result => parse(Text(result)) is { } value
                ? value
                : Refuse<T>(result, $"'{Text(result)}' is not a valid {what} for {name}", hint),
        };

    /// <summary>Creates an option for a duration above zero.</summary>
    public static Option<TimeSpan?> Duration(string name, string description) => Parsed<TimeSpan?>(
        name, "30s|5m|1h", description, text => DurationParser.TryParse(text, out var value) ? value : null,
        "duration", "write 250ms, 30s, 5m, 1h or dd:hh:mm:ss");

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

    /// <summary>Creates an option for one process id. If <paramref name="several"/>, commas or repeated options give more ids.</summary>
    public static Option<IReadOnlyList<int>?> ProcessIds(string description, bool several) => new("--process-id", "-p", "--pid")
    {
        Description = description,
        HelpName = several ? "N[,N...]" : "N",
        Arity = several ? ArgumentArity.OneOrMore : ArgumentArity.ExactlyOne,
        CustomParser = result => ProcessIdsOf(result, several),
    };

    /// <summary>Creates an option for one of several words, in any letter case. The value null means the default, the first word.</summary>
    public static Option<string?> Choice(string name, string description, params string[] words) => OneOf(
        name, $"{description} (default: {words[0]})", words, $"is not a value of {name}", $"choose one of {string.Join(", ", words)}");

    /// <summary>Creates an option for one of several words, in any letter case; null without the option.</summary>
    /// <param name="refusal">The sentence about a wrong value, after the value.</param>
    public static Option<string?> OneOf(string name, string description, string[] words, string refusal, string hint) => new(name)
    {
        Description = description,
        HelpName = string.Join('|', words),
        CompletionSources = { words },
        CustomParser = result => words.FirstOrDefault(w => w.Equals(Text(result), StringComparison.OrdinalIgnoreCase))
            ?? Refuse<string?>(result, $"'{Text(result)}' {refusal}", hint),
    };

    /// <summary>Creates an argument for a file to read. A word that begins with a dash is refused.</summary>
    public static Argument<string?> File(string description, ArgumentArity arity, string name = "FILE") => new(name)
    {
        Description = description,
        Arity = arity,
        CustomParser = result =>
            Text(result) is ['-', ..] word ? Refuse<string?>(result, $"'{word}' is not a file", "give a .nettrace file") : Text(result),
    };

    /// <summary>Adds an error to the parse result: sentence and hint, separated by a line break. Returns the default value.</summary>
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
