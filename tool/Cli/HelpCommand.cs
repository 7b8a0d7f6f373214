using System.CommandLine;
using System.CommandLine.Invocation;
using Tpwatch.Run;
using Tpwatch.Screen.Commands;
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

    public Command Create() => new Command("help", "Explain a topic that has more to say than --help, or a command.")
        .With([topic]).Does(parse =>
        {
            context.Out.Write(Text(parse.RootCommandResult.Command, parse.GetValue(topic)));
            return Task.FromResult((int)ExitCode.Done);
        });

    string Text(Command root, string? asked) =>
        HelpTopic.All.FirstOrDefault(t => t.Name == asked) is { } found ? found.Text(TextLayout.In(context.Terminal.Width))
        : asked is null ? new CommandHelp(context).Of(root, root)
        : root.Subcommands.FirstOrDefault(c => c.Name == asked) is { } verb ? new CommandHelp(context).Of(verb, root)
        : throw new UserErrorException(
            $"there is no help about '{asked}'",
            CommandLineErrors.Nearest(asked, Topics.Concat(root.Subcommands.Select(c => c.Name))) is { } near
                ? $"did you mean '{near}'?" : $"the topics are {string.Join(", ", Topics)}",
            ExitCode.Arguments);
}

/// <summary>The help page of a command: its purpose, its usage, and its options in groups.</summary>
sealed class CommandHelp(CommandContext context) : SynchronousCommandLineAction
{
    /// <summary>Column at which descriptions of options begin; the description of a longer option begins on the next line.</summary>
    const int OptionColumn = 32;

    /// <summary>Column at which descriptions of commands and arguments begin.</summary>
    const int CommandColumn = 14;

    static readonly (string Name, string? About) Launch =
        ("-- COMMAND ARGS", "Launch a process and watch it from the start. The launched process ends when tpwatch exits.");

    /// <summary>The options of all commands, grouped by purpose. A test checks that each option is in a group.</summary>
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

    /// <summary>Always true: parse errors are ignored, because a line that asks for help may contain a wrong word.</summary>
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

    // "-- COMMAND ARGS" is not an option, so it is added before --show-child-io, which applies to launched programs.
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

/// <summary>An explanation that is too long for <c>--help</c>; <c>help TOPIC</c> and <c>docs/cli.md</c> contain it.</summary>
/// <param name="Name">Name of an option without its dashes, or of a command.</param>
/// <param name="Texts">The paragraphs of the explanation, with their labels.</param>
sealed record HelpTopic(string Name, ImmutableArray<LabelledText> Texts)
{
    /// <summary>All topics, sorted by name.</summary>
    public static ImmutableArray<HelpTopic> All { get; } =
    [
        new("depth",
        [
            new(null, "--depth says what to measure. To combine several, write --depth stacks,requests. "
                + "The default is auto for report and ps, otherwise basic."),
            new("basic", "The pool's own events. A process under full load keeps " + DepthPrice.BasicShare + " of its throughput."),
            new("auto", "basic, and inside once items have waited, hung or blocked on tasks for 2 s. "
                + "With auto, report of one process reads its memory once in any case. "
                + "If tpwatch cannot read the memory, it takes stacks instead. "
                + "The stacks show the blocking call. tpwatch takes at most three bursts of stacks. "
                + "With up to " + DepthPrice.BurstThreads + " threads, each burst pauses the process for about " + DepthPrice.BurstMs
                + " ms in total. With hundreds of threads, the pause is hardly longer. tpwatch does not pause a process that looks "
                + "healthy. If tpwatch cannot tell whether threads hang, it takes one burst at once. Without --duration, --depth and "
                + "--fail-on, report measures the requests of an ASP.NET Core server from the start."),
            new("items", "How long each item waited and ran, at two events per item. "
                + "A process saturated with " + DepthPrice.ItemsPerSecond + " items a second keeps " + DepthPrice.ItemsShare
                + " of its throughput. On .NET 8, such a process keeps " + DepthPrice.ItemsWithStacksShare
                + ". If items come too fast, tpwatch stops measuring them."),
            new("requests", "How long the requests of an ASP.NET Core server take, by route, and which routes hold worker threads. "
                + "This depth costs two events per request. It is part of auto and stacks for 20 s from the first burst on. "
                + "At full load, a server kept about " + DepthPrice.RequestsShare + " of its throughput. "
                + "tpwatch never reads query strings or headers. A recording with --depth requests always holds full paths."),
            new("stacks", "Two bursts of stacks at the start, and more while items wait, at most one burst in 5 s."),
            new("inside", "tpwatch reads the memory of the process without a pause, as often as stacks takes bursts. It shows which items "
                + "wait in the queue, what blocked threads wait for, MinThreads and MaxThreads. --no-inside forbids it."),
        ]),
        new("dport",
        [
            new(null, "--dport PATH watches the process behind a diagnostic port. "
                + "Without a mode, tpwatch connects if the socket exists, and otherwise listens."),
            new("connect", "PATH is the runtime's own socket."),
            new("listen", "tpwatch waits at PATH for a process started with DOTNET_DiagnosticPorts=PATH,nosuspend. "
                + "Without nosuspend, the process waits at its start until tpwatch resumes it."),
            new("--wait", "After the process has ended, tpwatch continues with the next process that connects to the port."),
            new("serve", "serve listens only, and watches all processes that connect. To watch other processes too, add -n or -p."),
        ]),
        new("fail-on",
        [
            new(null, "--fail-on LIST sets exit code 10 if a condition is met, and 12 if the capture cannot tell. "
                + "Separate conditions with commas."),
            new("starvation", "The pool was STARVED, STARVED AT MAX, SILENTLY STARVED, WEDGED or HELD at any time."),
            new("any", "There is any finding, even a note."),
            new("warning", "There is a finding of at least that level. The other level is serious."),
            new("TPW005", "There is a finding with that id. 'dotnet tpwatch rules' lists them."),
            new("limits", "'gap>600ms', 'starved>1s', 'backlog>100', 'queue-delay-p99>50ms'. "
                + "Write the quotes: the shell treats > as a redirection."),
            new("worse", "For compare only: the second capture is worse."),
        ]),
        new("policy",
        [
            new(null, "whatif --policy simulates the same work items on another thread pool. The default is that of the process."),
            new("portable", ".NET 6 and later."),
            new("native", ".NET Framework 4 to .NET 5."),
            new("clr35", ".NET Framework 3.5."),
            new("clr11", ".NET Framework 1.1."),
            new("rotor", "Shared Source CLI."),
        ]),
    ];

    /// <summary>Returns the explanation in lines of the given width; ends with a line break.</summary>
    public string Text(int width) => string.Join('\n', TextLayout.Lines(Texts, width)) + "\n";
}
