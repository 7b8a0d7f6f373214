using System.CommandLine;
using Tpwatch.Sessions;

namespace Tpwatch.Options;

/// <summary>The options that name the process: one of <c>-p</c>, <c>-n</c>, <c>--dport</c> and <c>-- COMMAND</c>.</summary>
/// <param name="context">Engine, streams and terminal of this run.</param>
/// <param name="several">Whether the command can watch several processes at once.</param>
sealed class TargetOptions(CommandContext context, bool several = false)
{
    /// <summary>The hint for a command line that names more than one target.</summary>
    public const string OneOf = "give exactly one of -p PID, -n NAME, --dport PATH and -- COMMAND";

    readonly Option<IReadOnlyList<int>?> processIds = OptionKinds.ProcessIds(
        several ? "The process to watch, or several. With -o, each gets its own file." : "The process to watch.", several);

    readonly Option<bool> all = new("--all")
    {
        Description = "With -n: all processes with that name. With -o, each gets a file of its own.",
    };

    readonly Option<string?> name = new("--name", "-n")
    {
        Description = "The process to watch, by process name or entry assembly.",
        HelpName = "NAME",
    };

    readonly Option<string?> port = new("--diagnostic-port", "--dport")
    {
        Description = "The process behind this port; see dotnet tpwatch help dport.",
        HelpName = "PATH[,connect|listen]",
    };

    readonly Option<string?> resume = OptionKinds.Choice(
        "--resume-runtime", "With --dport: resume a runtime suspended at startup", "true", "false");

    readonly Option<bool> showChildIo = new("--show-child-io")
    {
        Description =
            "With -- COMMAND: pass standard input to the program, and send its output to standard error; no screen is shown.",
    };

    readonly Option<bool> wait = new("--wait")
    {
        Description = "With -n: wait until a process with that name starts. With --dport: after each process, watch the next one.",
    };

    readonly Option<TimeSpan?> timeout =
        OptionKinds.Duration("--timeout", "With --wait, and with --dport PATH,listen: how long to wait (default: 5m).");

    /// <summary>Declares the options on a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in (Option[])
            [processIds, name, .. several ? [all] : Array.Empty<Option>(), port, wait, timeout, resume, showChildIo])
        {
            command.Options.Add(option);
        }
    }

    /// <summary>Returns the process that the options name.</summary>
    /// <exception cref="UserErrorException">Two options exclude each other, or one option needs another that is missing.</exception>
    public TargetRequest Read(ParseResult parse)
    {
        var given = (((string Word, bool Given)[])
            [("-p", parse.GetValue(processIds) is not null), ("-n", parse.GetValue(name) is not null),
                ("--dport", parse.GetValue(port) is not null), ("--", context.Command is not null)])
            .Where(t => t.Given).Select(t => t.Word).ToList();
        if (given.Count > 1)
        {
            throw Refused($"{(given.Count == 2 ? "two" : "several")} targets were given, {string.Join(" and ", given)}", OneOf);
        }

        if (parse.GetValue(name) is { Length: 0 })
        {
            throw Refused("the name for -n is empty", "give a process name or an entry assembly");
        }

        RefuseLonely(parse);
        return new(parse.GetValue(name), parse.GetValue(wait), parse.GetValue(timeout))
        {
            Pids = parse.GetValue(processIds) ?? [],
            All = several && parse.GetValue(all),
            Port = parse.GetValue(port) is { } path
                ? PortAddress.Parse(path) with { ResumeRuntime = parse.GetValue(resume) != "false", Follows = parse.GetValue(wait) }
                : null,
            Command = context.Command is { } words ? new CommandRequest(words, parse.GetValue(showChildIo)).Checked() : null,
        };
    }

    // Refuses an option that has no effect because the option that it depends on is missing.
    void RefuseLonely(ParseResult parse)
    {
        var named = parse.GetValue(name) is not null;
        var waits = parse.GetValue(wait);
        var behindPort = parse.GetValue(port) is not null;
        if ((waits && !named && !behindPort) || (parse.GetValue(timeout) is not null && !waits && !behindPort))
        {
            throw Refused("--timeout needs --wait or --dport, and --wait needs -n or --dport", "write -n NAME --wait [--timeout 1m]");
        }

        if (several && parse.GetValue(all) && (!named || waits))
        {
            throw Refused("--all needs -n, and cannot be combined with --wait", "write -n NAME --all");
        }

        if (parse.GetValue(resume) is not null && parse.GetValue(port) is null)
        {
            throw Refused("--resume-runtime needs --dport",
                "write --dport PATH --resume-runtime false; tpwatch always resumes a command that it launches");
        }

        if (parse.GetValue(showChildIo) && context.Command is null)
        {
            throw Refused("--show-child-io needs a command to launch", "write --show-child-io -- COMMAND");
        }
    }

    static UserErrorException Refused(string sentence, string hint) => new(sentence, hint, ExitCode.Arguments);
}

/// <summary>The process that the command line requests. Without id, name, port and command, the user chooses a process.</summary>
sealed record TargetRequest(string? Name, bool Wait, TimeSpan? Timeout)
{
    /// <summary>All process ids given.</summary>
    public IReadOnlyList<int> Pids { get; init; } = [];

    /// <summary>The process id, if the user gave exactly one.</summary>
    public int? Pid => Pids is [var one] ? one : null;

    /// <summary>Whether the user requested all processes with the name.</summary>
    public bool All { get; init; }

    /// <summary>Whether the user requested several processes, so that each gets a file of its own.</summary>
    public bool IsSeveral => All || Pids.Count > 1;

    /// <summary>The diagnostic port of the process; null for none.</summary>
    public PortAddress? Port { get; init; }

    /// <summary>The program to launch; null for none.</summary>
    public CommandRequest? Command { get; init; }

    /// <summary>Whether tpwatch watches the next process at the port after one process has ended.</summary>
    public bool Follows => Port is not null && Wait;

    /// <summary>Whether the command line names a process or a program to launch.</summary>
    public bool IsGiven => Pids.Count > 0 || Name is not null || Port is not null || Command is not null;
}
