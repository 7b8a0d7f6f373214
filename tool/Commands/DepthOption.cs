using System.CommandLine;
using System.CommandLine.Parsing;

namespace Tpwatch.Commands;

/// <summary>What is switched on in the target, with its price as <c>tests/SCORES.md</c> has it.</summary>
internal static class DepthOption
{
    /// <summary>Work items that the target gets done in a second of its processor time with a session, as a share of those without; measured.</summary>
    public const string BasicShare = "1.00";

    /// <summary>The same with items.</summary>
    public const string ItemsShare = "0.90";

    /// <summary>Items that such a target gets done in a second without a session.</summary>
    public const string ItemsPerSecond = "240 thousand";

    /// <summary>The same on .NET 8, whose events cannot leave their stacks out, until the session ends by itself.</summary>
    public const string ItemsWithStacksShare = "0.61";

    /// <summary>How long one burst of stacks holds up the target's threads in all, milliseconds.</summary>
    public const string BurstMs = "30";

    /// <summary>The option; null when nothing was said.</summary>
    public static Option<CaptureDepth?> Create() => new("--depth")
    {
        Description = "What is switched on in the target. basic: the pool's own decisions; a saturated target gets " + BasicShare + " of its items done. items: and how "
            + "long each waited and ran, two events an item; " + ItemsShare + " at " + ItemsPerSecond + " items a second, " + ItemsWithStacksShare + " on .NET 8; ends by itself under a flood. "
            + "stacks: and what holds the workers, a burst of samples while items wait, each about " + BurstMs + " ms of pauses, at most one in 5 s. "
            + "Both: items,stacks. Default: basic.",
        HelpName = "basic|items|stacks",
        CustomParser = Parse,
    };

    static CaptureDepth? Parse(ArgumentResult result)
    {
        CaptureDepth? depth = null;
        foreach (var word in OptionKinds.Text(result).Split(',', StringSplitOptions.TrimEntries))
        {
            if (!Enum.TryParse<CaptureDepth>(word, ignoreCase: true, out var one) || !Enum.IsDefined(one) || int.TryParse(word, out _))
            {
                return OptionKinds.Refuse<CaptureDepth?>(result, $"'{word}' is not known for --depth", "choose one of basic, items, stacks, or items,stacks");
            }

            depth = (depth ?? CaptureDepth.Basic) | one;
        }

        return depth;
    }
}
