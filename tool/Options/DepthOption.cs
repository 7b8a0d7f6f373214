using System.CommandLine;
using System.CommandLine.Parsing;

namespace Tpwatch.Options;

/// <summary>The options that choose what is measured in the target.</summary>
static class DepthOption
{
    static readonly string[] Words = ["basic", "auto", "items", "stacks", "requests", "inside"];

    /// <summary>The option <c>--depth</c>; its value is null when it was not given.</summary>
    public static Option<CaptureDepth?> Create(CaptureDepth usual)
    {
        var option = new Option<CaptureDepth?>("--depth")
        {
            Description = $"What to measure; see dotnet tpwatch help depth. Default: {(usual == CaptureDepth.Auto ? "auto" : "basic")}.",
            HelpName = string.Join('|', Words),
            CustomParser = Parse,
        };
        // The library has put in the names of the enumeration, capital letters and all.
        option.CompletionSources.Clear();
        option.CompletionSources.Add(Words);
        return option;
    }

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
