using System.CommandLine;
using System.CommandLine.Invocation;
using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Cli;

/// <summary>The command <c>help</c>: explains a command or a topic at length.</summary>
sealed class HelpCommand(CommandContext context)
{
    static readonly string[] Topics = [.. HelpTopic.All.Select(t => t.Name)];

    readonly Argument<string?> topic = new("TOPIC")
    {
        Description = $"{string.Join(", ", Topics)}, or a command.",
        Arity = ArgumentArity.ZeroOrOne,
        CompletionSources = { Topics },
    };

    public Command Create()
    {
        var command = new Command("help", "Explain a topic that has more to say than --help, or a command.") { topic };
        command.SetAction((parse, _) =>
        {
            context.Out.Write(Text(parse.RootCommandResult.Command, parse.GetValue(topic)));
            return Task.FromResult((int)ExitCode.Done);
        });
        return command;
    }

    string Text(Command root, string? asked) =>
        HelpTopic.All.FirstOrDefault(t => t.Name == asked) is { } found ? found.Text(TextLayout.In(context.Terminal.Width))
        : asked is null ? new HelpPage(context).Of(root, root)
        : root.Subcommands.FirstOrDefault(c => c.Name == asked) is { } verb ? new HelpPage(context).Of(verb, root)
        : throw new UserErrorException(
            $"there is no help about '{asked}'",
            Mistyped.Nearest(asked, Topics.Concat(root.Subcommands.Select(c => c.Name))) is { } near
                ? $"did you mean '{near}'?" : $"the topics are {string.Join(", ", Topics)}",
            ExitCode.Arguments);
}

/// <summary>The help page of a command: its purpose, and its options in groups with a maximum of two lines of 100 columns each.</summary>
sealed class HelpPage(CommandContext context) : SynchronousCommandLineAction
{
    /// <summary>Column at which descriptions of options begin; a longer option name has a line of its own.</summary>
    const int OptionColumn = 32;

    /// <summary>Column at which descriptions of commands and arguments begin.</summary>
    const int CommandColumn = 14;

    static readonly (string Name, string? About) Launch =
        ("-- COMMAND ARGS", "Launch a process and watch it from the start. The launched process ends when tpwatch exits.");

    /// <summary>The options of all commands, grouped by purpose; a test verifies that each option has a group.</summary>
    static readonly (string Title, string[] Names)[] Groups =
    [
        ("Process",
        [
            "--process-id", "--name", "--all", "--except", "--older-than", "--limit", "--diagnostic-port", "--wait", "--timeout",
            "--resume-runtime", "--show-child-io",
        ]),
        ("What to measure", ["--duration", "--check", "--depth", "--no-inside", "--heartbeat", "--show-paths", "--speed"]),
        ("What to change", ["--min", "--max", "--processors", "--async", "--policy", "--clock"]),
        ("Server", ["--listen", "--token-file", "--incidents", "--allow-record", "--allow-inside", "--otlp", "--otlp-logs"]),
        ("Output",
            ["--output", "--format", "--verbose", "--time", "--show-command-line", "--limit-size", "--force", "--fail-on"]),
        ("Screen", ["--plain", "--color", "--glyphs", "--theme", "--mouse", "--fps"]),
    ];

    /// <summary>Whether parse errors are ignored: always, because a line that asks for help may contain a wrong word.</summary>
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parse)
    {
        context.Out.Write(Of(parse.CommandResult.Command, parse.RootCommandResult.Command));
        return (int)ExitCode.Done;
    }

    /// <summary>Returns the help page; ends with a line break.</summary>
    public string Of(Command command, Command root)
    {
        var width = TextLayout.In(context.Terminal.Width);
        var options = command.Options.Concat(root.Options.Where(o => o.Recursive)).Distinct().ToArray();
        IEnumerable<string>[] sections =
        [
            TextLayout.Wrap(command.Description ?? "", width: width),
            ["Usage:", $"  dotnet tpwatch {(command == root ? "[command]" : command.Name)}{Arguments(command)} [options]"],
            Section("Arguments", command.Arguments.Select(a => (a.Name, a.Description)), CommandColumn, width),
            Section("Commands", command.Subcommands.Select(c => (c.Name, c.Description)), CommandColumn, width),
            .. Groups.Select(group => Section(
                group.Title, Rows(group.Names.SelectMany(name => options.Where(o => o.Name == name))), OptionColumn, width)),
            Section("Other", Rows(options.Where(o => !Groups.Any(group => group.Names.Contains(o.Name)))), OptionColumn, width),
            [$"'dotnet tpwatch help TOPIC' says more: {string.Join(", ", HelpTopic.All.Select(t => t.Name))}."],
        ];
        return string.Join("\n\n", sections.Select(lines => string.Join('\n', lines)).Where(text => text.Length > 0)) + "\n";
    }

    static IEnumerable<string> Section(string title, IEnumerable<(string Name, string? About)> rows, int column, int width) =>
        rows.SelectMany(row => Row(row.Name, row.About ?? "", column, width)).ToArray() is { Length: > 0 } lines
            ? lines.Prepend($"{title}:") : [];

    // "-- COMMAND ARGS" is not an option, but is listed before the option that applies to launched programs.
    static IEnumerable<(string Name, string? About)> Rows(IEnumerable<Option> options) => options.SelectMany(o =>
        ((string, string?)[])[.. o.Name == "--show-child-io" ? [Launch] : Array.Empty<(string, string?)>(), (Spelled(o), o.Description)]);

    static IEnumerable<string> Row(string name, string about, int column, int width)
    {
        string[] lines = [.. TextLayout.Wrap(about, column, width)];
        return name.Length + 4 > column ? lines.Prepend($"  {name}") : [$"  {name}".PadRight(column) + lines[0].TrimStart(), .. lines[1..]];
    }

    static string Arguments(Command command) => string.Concat(command.Arguments.Select(argument =>
        (argument.Arity.MinimumNumberOfValues, argument.Arity.MaximumNumberOfValues) switch
        {
            (0, 1) => $" [{argument.Name}]",
            (0, _) => $" [{argument.Name}...]",
            _ => $" {argument.Name}",
        }));

    static string Spelled(Option option)
    {
        var names = option.Aliases.Append(option.Name).Where(name => name.StartsWith('-'))
            .OrderBy(name => name.StartsWith("--", StringComparison.Ordinal)).ThenBy(name => name.Length);
        return $"{string.Join(", ", names)}{(option.HelpName is { } value ? $" <{value}>" : "")}";
    }
}
