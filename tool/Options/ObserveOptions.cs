using System.CommandLine;
using System.CommandLine.Parsing;

namespace Tpwatch.Options;

/// <summary>The options on how to observe a running process.</summary>
sealed class ObserveOptions
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
    readonly CaptureDepth usual;
    readonly Option<CaptureDepth?> depth;

    readonly Option<TimeSpan?> duration;

    /// <summary>Creates the options with the command's default duration in words, and its default depth.</summary>
    public ObserveOptions(string untilWhen, CaptureDepth usual = CaptureDepth.Basic)
    {
        this.usual = usual;
        depth = DepthOption.Create(usual);
        duration = OptionKinds.Duration("--duration", $"How long to watch (default: {untilWhen}).");
    }

    /// <summary>Declares the options on a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(duration);
        command.Options.Add(counterSample);
        command.Options.Add(depth);
        command.Options.Add(noInside);
        command.Options.Add(showPaths);
    }

    public WatchOptions Read(ParseResult parse)
    {
        var options = DepthOption.Read(parse, depth, noInside, usual) with { ShowPaths = parse.GetValue(showPaths) };
        return parse.GetValue(counterSample) is { } asked ? options with { CounterSample = asked.Interval } : options;
    }

    /// <summary>The option <c>--show-paths</c>: show request paths in full.</summary>
    public static Option<bool> ShowPathsOption() => new("--show-paths")
    {
        Description = "Show request paths in full. Without this option, tpwatch replaces numbers and ids in paths.",
    };

    /// <summary>The duration given; null when none was.</summary>
    public TimeSpan? Duration(ParseResult parse) => parse.GetValue(duration);

    /// <summary>Whether a duration, an interval of counter samples or a depth was given.</summary>
    public bool AreGiven(ParseResult parse) =>
        parse.GetValue(duration) is not null || parse.GetValue(counterSample) is not null || parse.GetValue(depth) is not null;

    static CounterSample? Parse(ArgumentResult result)
    {
        var text = OptionKinds.Text(result);
        if (text.Equals("off", StringComparison.OrdinalIgnoreCase))
        {
            return new(null);
        }

        return DurationText.TryParse(text, out var interval) && interval >= Quickest && interval <= Slowest
            ? new(interval)
            : OptionKinds.Refuse<CounterSample>(
                result, $"'{text}' is not a valid interval for --heartbeat", "write off, or a duration from 100ms to 60s");
    }

    // A class, so that "off" (no interval) differs from "not given" (null).
    sealed record CounterSample(TimeSpan? Interval);
}
