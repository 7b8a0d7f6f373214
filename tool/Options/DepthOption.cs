using System.CommandLine;
using System.CommandLine.Parsing;

namespace Tpwatch.Options;

/// <summary>The options that choose what tpwatch measures in the target.</summary>
static class DepthOption
{
    static readonly string[] Words = ["basic", "auto", "items", "stacks", "requests", "inside"];

    /// <summary>Creates the option <c>--depth</c>; the parsed value is null if the user did not give the option.</summary>
    public static Option<CaptureDepth?> Create(CaptureDepth usual)
    {
        var option = new Option<CaptureDepth?>("--depth")
        {
            Description = $"What to measure; see dotnet tpwatch help depth. Default: {(usual == CaptureDepth.Auto ? "auto" : "basic")}.",
            HelpName = string.Join('|', Words),
            CustomParser = Parse,
        };
        // Replaces the completions that the library derived from the names of the enum, which begin with capital letters.
        option.CompletionSources.Clear();
        option.CompletionSources.Add(Words);
        return option;
    }

    /// <summary>Creates the option <c>--no-inside</c>, which forbids reading the memory of the process.</summary>
    public static Option<bool> NoInside() => new("--no-inside")
    {
        Description = "Do not read the memory of the process: auto then takes stacks at once.",
    };

    /// <summary>
    /// Combines both options. Throws a <see cref="UserErrorException"/> (exit code 3) if one requests what the other one forbids.
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
