using System.CommandLine;
using System.CommandLine.Parsing;
using Tpwatch.Controls;
using Tpwatch.Reports;

namespace Tpwatch.Options;

/// <summary>What is switched on in the target.</summary>
static class DepthOption
{
    /// <summary>The option; null when nothing was said.</summary>
    public static Option<CaptureDepth?> Create(CaptureDepth usual) => new("--depth")
    {
        Description = "What is switched on in the target. basic: the pool's own events; a saturated target gets "
            + DepthPrice.BasicShare
            + " of its items done. auto: basic, and stacks once work has waited, hung or blocked on tasks for 2 s. "
            + "They name the call that blocks, in three bursts at most, each about " + DepthPrice.BurstMs + " ms of pauses. "
            + "A healthy target is never paused. items: how long each item waited and ran, at two events an item. "
            + "A flooded target gets " + DepthPrice.ItemsShare + " of its items done at " + DepthPrice.ItemsPerSecond
            + " a second. On .NET 8 it is " + DepthPrice.ItemsWithStacksShare + ". Under a flood it ends by itself. "
            + "requests: routes of an ASP.NET Core server, how long they take and which hold worker threads. "
            + "It costs two events a request, and is part of auto for 20 s from the first burst on. "
            + "A server of " + DepthPrice.RequestsPerSecond + " a second gets " + DepthPrice.RequestsShare + " of them done. "
            + "stacks: a burst while items wait, each about " + DepthPrice.BurstMs + " ms of pauses, at most one in 5 s. "
            + $"Several: stacks,requests. Default: {(usual == CaptureDepth.Auto ? "auto" : "basic")}.",
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
                    result, $"'{word}' is not known for --depth",
                    "choose one of basic, auto, items, stacks, requests, or several: items,stacks");
            }

            depth = (depth ?? CaptureDepth.Basic) | one;
        }

        return depth;
    }
}
