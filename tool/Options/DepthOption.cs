using System.CommandLine;
using System.CommandLine.Parsing;
using Tpwatch.Controls;

namespace Tpwatch.Options;

/// <summary>What is switched on in the target.</summary>
static class DepthOption
{
    /// <summary>The option; null when nothing was said.</summary>
    public static Option<CaptureDepth?> Create(CaptureDepth usual) => new("--depth")
    {
        Description = "What to measure. basic: the pool's own events; any cost was smaller than the scatter of the measurement. "
            + "auto: basic, and stacks once items have waited, hung or blocked on tasks for 2 s. "
            + "The stacks show the blocking call. tpwatch takes at most three bursts of stacks. "
            + "With up to " + DepthPrice.BurstThreads + " threads, each burst pauses the process for about " + DepthPrice.BurstMs
            + " ms in total. With hundreds of threads, the pause is hardly longer. tpwatch does not pause a process that looks healthy. "
            + "If tpwatch cannot tell whether threads hang, it takes one burst at once. "
            + "items: how long each item waited and ran, at two events per item. "
            + "A process saturated with " + DepthPrice.ItemsPerSecond + " items a second keeps " + DepthPrice.ItemsShare
            + " of its throughput. On .NET 8, such a process keeps " + DepthPrice.ItemsWithStacksShare
            + ". If items come too fast, tpwatch stops measuring them. "
            + "requests: how long the requests of an ASP.NET Core server take, by route, and which routes hold worker threads. "
            + "This depth costs two events per request, and is part of auto for 20 s from the first burst on. "
            + "At full load, a server kept about " + DepthPrice.RequestsShare + " of its throughput, within the scatter of the "
            + "measurement. stacks: while items wait, at most one burst in 5 s. "
            + $"To combine several: stacks,requests. Default: {(usual == CaptureDepth.Auto ? "auto" : "basic")}.",
        HelpName = "basic|auto|items|stacks|requests",
        CustomParser = Parse,
    };

    static CaptureDepth? Parse(ArgumentResult result)
    {
        CaptureDepth? depth = null;
        foreach (var word in OptionKinds.Text(result).Split(',', StringSplitOptions.TrimEntries))
        {
            if (!Enum.TryParse<CaptureDepth>(word, ignoreCase: true, out var one) || !Enum.IsDefined(one) || int.TryParse(word, out _))
            {
                return OptionKinds.Refuse<CaptureDepth?>(
                    result, $"'{word}' is not a value of --depth",
                    "choose one of basic, auto, items, stacks, requests, or several: items,stacks");
            }

            depth = (depth ?? CaptureDepth.Basic) | one;
        }

        return depth;
    }
}
