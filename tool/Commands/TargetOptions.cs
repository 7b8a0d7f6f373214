using System.CommandLine;

namespace Tpwatch.Commands;

/// <summary>Which process: exactly one of <c>-p</c> and <c>-n</c>.</summary>
internal sealed class TargetOptions
{
    readonly Option<int?> processId = OptionKinds.Number("--process-id", ["-p", "--pid"], "The process to look at.", (1, int.MaxValue));

    readonly Option<string?> name = new("--name", "-n")
    {
        Description = "The same by name: process name or entry assembly.",
        HelpName = "NAME",
    };

    readonly Option<bool> wait = new("--wait") { Description = "With -n: wait until a process of that name appears." };

    readonly Option<TimeSpan?> timeout = OptionKinds.Duration("--timeout", "With --wait: give up after so long (default: 5m).");

    /// <summary>Declares the options on a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(processId);
        command.Options.Add(name);
        command.Options.Add(wait);
        command.Options.Add(timeout);
    }

    /// <summary>What was asked for.</summary>
    /// <exception cref="ForeseenException">Options that exclude each other, or need each other.</exception>
    public TargetRequest Read(ParseResult parse)
    {
        var request = new TargetRequest(parse.GetValue(processId), parse.GetValue(name), parse.GetValue(wait), parse.GetValue(timeout));
        if (request is { Pid: not null, Name: not null })
        {
            throw new ForeseenException("two targets were given, -p and -n", "give exactly one of -p PID and -n NAME", ExitCode.Arguments);
        }

        if (request is { Name.Length: 0 })
        {
            throw new ForeseenException("-n got an empty name", "give a process name or an entry assembly", ExitCode.Arguments);
        }

        if (request is { Wait: true, Name: null } or { Wait: false, Timeout: not null })
        {
            throw new ForeseenException("--wait and --timeout are for a name that is still to appear", "write -n NAME --wait [--timeout 1m]", ExitCode.Arguments);
        }

        return request;
    }
}

/// <summary>Which process was asked for; neither pid nor name is "choose".</summary>
internal sealed record TargetRequest(int? Pid, string? Name, bool Wait, TimeSpan? Timeout)
{
    /// <summary>Whether a process was named at all.</summary>
    public bool IsGiven => Pid is not null || Name is not null;
}
