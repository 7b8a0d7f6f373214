using System.CommandLine;
using System.CommandLine.Parsing;
using Tpwatch.Run;
using Tpwatch.Sessions;

namespace Tpwatch.Cli;

/// <summary>The options that select what to watch: one of <c>-p</c>, <c>-n</c>, <c>--dport</c> and <c>-- COMMAND</c>.</summary>
/// <param name="several">Whether the command can watch several processes at once.</param>
sealed class TargetOptions(CommandContext context, bool several = false)
{
    /// <summary>The hint for a command line that names more than one target.</summary>
    public const string OneOf = "give exactly one of -p PID, -n NAME, --dport PATH and -- COMMAND";

    readonly Option<IReadOnlyList<int>?> processIds = OptionKinds.ProcessIds(
        several ? "The process to watch, or several. With -o, each gets its own file." : "The process to watch.", several);

    readonly Option<bool> all =
        OptionKinds.Flag("--all", "With -n: all processes with that name. With -o, each gets a file of its own.");

    readonly Option<string?> name =
        OptionKinds.Word("--name", ["-n"], "NAME", "The process to watch, by process name or entry assembly.");

    readonly Option<string?> port = OptionKinds.Word(
        "--diagnostic-port", ["--dport"], "PATH[,connect|listen]", "The process behind this port; see dotnet tpwatch help dport.");

    readonly Option<string?> resume = OptionKinds.Choice(
        "--resume-runtime", "With --dport: resume a runtime suspended at startup", "true", "false");

    readonly Option<bool> showChildIo = OptionKinds.Flag("--show-child-io",
        "With -- COMMAND: pass standard input to the program, and send its output to standard error; no screen is shown.");

    readonly Option<bool> wait = OptionKinds.Flag(
        "--wait", "With -n: wait until a process with that name starts. With --dport: after each process, watch the next one.");

    readonly Option<TimeSpan?> timeout =
        OptionKinds.Duration("--timeout", "With --wait, and with --dport PATH,listen: how long to wait (default: 5m).");

    public IEnumerable<Symbol> All =>
        [processIds, name, .. several ? [all] : Array.Empty<Symbol>(), port, wait, timeout, resume, showChildIo];

    /// <exception cref="UserErrorException">Two options exclude each other, or one option needs another that is missing.</exception>
    public TargetRequest Read(ParseResult parse)
    {
        var given = (((string Word, bool Given)[])
            [("-p", parse.GetValue(processIds) is not null), ("-n", parse.GetValue(name) is not null),
                ("--dport", parse.GetValue(port) is not null), ("--", context.Command is not null)])
            .Where(t => t.Given).Select(t => t.Word).ToList();
        if (given.Count > 1)
        {
            throw CommandLineErrors.Refused(
                $"{(given.Count == 2 ? "two" : "several")} targets were given, {string.Join(" and ", given)}", OneOf);
        }

        if (parse.GetValue(name) is { Length: 0 })
        {
            throw CommandLineErrors.Refused("the name for -n is empty", "give a process name or an entry assembly");
        }

        RefuseLonely(parse);
        return new(parse.GetValue(name), parse.GetValue(wait), parse.GetValue(timeout))
        {
            Pids = parse.GetValue(processIds) ?? [],
            All = several && parse.GetValue(all),
            Port = parse.GetValue(port) is { } path
                ? PortAddress.Parse(path) with { ResumeRuntime = parse.GetValue(resume) != "false", Follows = parse.GetValue(wait) }
                : null,
            Command = context.Command is { } words ? new LaunchRequest(words, parse.GetValue(showChildIo)).Checked() : null,
        };
    }

    // Refuses an option that has no effect without another option that the user did not give.
    void RefuseLonely(ParseResult parse)
    {
        var named = parse.GetValue(name) is not null;
        var waits = parse.GetValue(wait);
        var behindPort = parse.GetValue(port) is not null;
        if ((waits && !named && !behindPort) || (parse.GetValue(timeout) is not null && !waits && !behindPort))
        {
            throw CommandLineErrors.Refused(
                "--timeout needs --wait or --dport, and --wait needs -n or --dport", "write -n NAME --wait [--timeout 1m]");
        }

        if (several && parse.GetValue(all) && (!named || waits))
        {
            throw CommandLineErrors.Refused("--all needs -n, and cannot be combined with --wait", "write -n NAME --all");
        }

        if (parse.GetValue(resume) is not null && parse.GetValue(port) is null)
        {
            throw CommandLineErrors.Refused("--resume-runtime needs --dport",
                "write --dport PATH --resume-runtime false; tpwatch always resumes a command that it launches");
        }

        if (parse.GetValue(showChildIo) && context.Command is null)
        {
            throw CommandLineErrors.Refused("--show-child-io needs a command to launch", "write --show-child-io -- COMMAND");
        }
    }
}

/// <summary>The options that select how a running process is watched.</summary>
/// <param name="untilWhen">The default duration in words.</param>
sealed class ObserveOptions(string untilWhen, CaptureDepth usual = CaptureDepth.Basic)
{
    static readonly TimeSpan Quickest = TimeSpan.FromMilliseconds(100);
    static readonly TimeSpan Slowest = TimeSpan.FromSeconds(60);

    readonly Option<CounterSample?> counterSample = new("--heartbeat")
    {
        Description = "How often the process sends a counter sample. With off, the queue length is not known. Default: 1s.",
        HelpName = "1s|250ms|off",
        CompletionSources = { "1s", "250ms", "off" },
        CustomParser = Parse,
    };

    readonly Option<bool> noInside = DepthOption.NoInside();
    readonly Option<bool> showPaths = ShowPathsOption();
    readonly Option<CaptureDepth?> depth = DepthOption.Create(usual);
    readonly Option<TimeSpan?> duration = OptionKinds.Duration("--duration", $"How long to watch (default: {untilWhen}).");

    public IEnumerable<Symbol> All => [duration, counterSample, depth, noInside, showPaths];

    public WatchOptions Read(ParseResult parse)
    {
        var options = DepthOption.Read(parse, depth, noInside, usual) with { ShowPaths = parse.GetValue(showPaths) };
        return parse.GetValue(counterSample) is { } asked ? options with { CounterSample = asked.Interval } : options;
    }

    /// <summary>Creates the option <c>--show-paths</c>, which shows the paths of HTTP requests in full.</summary>
    public static Option<bool> ShowPathsOption() => OptionKinds.Flag(
        "--show-paths", "Show request paths in full. Without this option, tpwatch replaces numbers and ids in paths.");

    /// <summary>Returns the duration that the user gave; null without the option.</summary>
    public TimeSpan? Duration(ParseResult parse) => parse.GetValue(duration);

    /// <summary>Whether the user gave a duration, an interval of counter samples or a depth, which a recording does not accept.</summary>
    public bool AreGiven(ParseResult parse) =>
        parse.GetValue(duration) is not null || parse.GetValue(counterSample) is not null || parse.GetValue(depth) is not null;

    static CounterSample? Parse(ArgumentResult result)
    {
        var text = OptionKinds.Text(result);
        if (text.Equals("off", StringComparison.OrdinalIgnoreCase))
        {
            return new(null);
        }

        return DurationParser.TryParse(text, out var interval) && interval >= Quickest && interval <= Slowest
            ? new(interval)
            : OptionKinds.Refuse<CounterSample>(
                result, $"'{text}' is not a valid interval for --heartbeat", "write off, or a duration from 100ms to 60s");
    }

    // With the value "off", the interval is null. Without the option, the whole object is null.
    sealed record CounterSample(TimeSpan? Interval);
}

/// <summary>The options that choose what tpwatch measures in the target.</summary>
static class DepthOption
{
    static readonly string[] Words = ["basic", "auto", "items", "stacks", "requests", "inside"];

    /// <summary>Creates the option <c>--depth</c>, whose parsed value is null if the user did not give it.</summary>
    public static Option<CaptureDepth?> Create(CaptureDepth usual)
    {
        var option = new Option<CaptureDepth?>("--depth")
        {
            Description = $"What to measure; see dotnet tpwatch help depth. Default: {(usual == CaptureDepth.Auto ? "auto" : "basic")}.",
            HelpName = string.Join('|', Words),
            CustomParser = Parse,
        };
        // Replaces the completions that the library takes from the enum, whose names begin with capital letters.
        option.CompletionSources.Clear();
        option.CompletionSources.Add(Words);
        return option;
    }

    /// <summary>Creates the option <c>--no-inside</c>, which forbids reading the memory of the process.</summary>
    public static Option<bool> NoInside() =>
        OptionKinds.Flag("--no-inside", "Do not read the memory of the process: auto then takes stacks at once.");

    /// <summary>
    /// Combines both options. Throws <see cref="UserErrorException"/> (exit code 3) if one requests what the other one forbids.
    /// </summary>
    public static WatchOptions Read(ParseResult parse, Option<CaptureDepth?> depth, Option<bool> noInside, CaptureDepth usual)
    {
        var (asked, never) = (parse.GetValue(depth) ?? usual, parse.GetValue(noInside));
        return never && asked.HasFlag(CaptureDepth.Inside)
            ? throw new UserErrorException(
                "--depth inside reads the memory of the process, and --no-inside forbids that", "leave out one of the two",
                ExitCode.Arguments)
            : new() { Depth = asked, Inside = never ? null : OwnProgram.Reader };
    }

    static CaptureDepth? Parse(ArgumentResult result)
    {
        CaptureDepth? depth = null;
        foreach (var word in OptionKinds.Text(result).Split(',', StringSplitOptions.TrimEntries))
        {
            if (!Enum.TryParse<CaptureDepth>(word, ignoreCase: true, out var one) || !Enum.IsDefined(one) || int.TryParse(word, out _))
            {
                return OptionKinds.Refuse<CaptureDepth?>(
                    result, $"'{word}' is not a value of --depth",
                    "choose one of basic, auto, items, stacks, requests, inside, or several: items,stacks");
            }

            depth = (depth ?? CaptureDepth.Basic) | one;
        }

        return depth;
    }
}
