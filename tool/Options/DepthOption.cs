using System.CommandLine;
using System.CommandLine.Parsing;
using Tpwatch.Screen.State;

namespace Tpwatch.Options;

/// <summary>The options that choose what is measured in the target.</summary>
static class DepthOption
{
    /// <summary>The option <c>--depth</c>; its value is null when it was not given.</summary>
    public static Option<CaptureDepth?> Create(CaptureDepth usual) => new("--depth")
    {
        Description = "What to measure. basic: the pool's own events; any cost was smaller than the scatter of the measurement. "
            + "auto: basic, and inside once items have waited, hung or blocked on tasks for 2 s. "
            + "With auto, report of one process reads its memory once in any case. "
            + "If tpwatch cannot read the memory, it takes stacks instead. "
            + "The stacks show the blocking call. tpwatch takes at most three bursts of stacks. "
            + "With up to " + DepthPrice.BurstThreads + " threads, each burst pauses the process for about " + DepthPrice.BurstMs
            + " ms in total. With hundreds of threads, the pause is hardly longer. tpwatch does not pause a process that looks healthy. "
            + "If tpwatch cannot tell whether threads hang, it takes one burst at once. "
            + "items: how long each item waited and ran, at two events per item. "
            + "A process saturated with " + DepthPrice.ItemsPerSecond + " items a second keeps " + DepthPrice.ItemsShare
            + " of its throughput. On .NET 8, such a process keeps " + DepthPrice.ItemsWithStacksShare
            + ". If items come too fast, tpwatch stops measuring them. "
            + "requests: how long the requests of an ASP.NET Core server take, by route, and which routes hold worker threads. "
            + "This depth costs two events per request. It is part of auto and stacks for 20 s from the first burst on. "
            + "At full load, a server kept about " + DepthPrice.RequestsShare + " of its throughput, within the scatter of the "
            + "measurement. stacks: two bursts at the start, and more while items wait, at most one burst in 5 s. "
            + "inside: tpwatch reads the memory of the process without a pause, as often as stacks takes bursts. "
            + "It shows which items wait in the queue, what blocked threads wait for, MinThreads and MaxThreads. "
            + $"To combine several: stacks,requests. Default: {(usual == CaptureDepth.Auto ? "auto" : "basic")}.",
        HelpName = "basic|auto|items|stacks|requests|inside",
        CustomParser = Parse,
    };

    /// <summary>The option <c>--no-inside</c>: do not read the memory of the process.</summary>
    public static Option<bool> NoInside() => new("--no-inside")
    {
        Description = "Do not read the memory of the process: auto then takes stacks at once.",
    };

    /// <summary>
    /// Combines both options. Throws a <see cref="UserErrorException"/> (exit code 3) if one requests what the other forbids.
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
