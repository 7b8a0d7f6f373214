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

    /// <summary>Creates the options; <paramref name="untilWhen"/> is the command's default duration in words.</summary>
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

    /// <summary>Creates the option <c>--show-paths</c>, which shows request paths in full.</summary>
    public static Option<bool> ShowPathsOption() => new("--show-paths")
    {
        Description = "Show request paths in full. Without this option, tpwatch replaces numbers and ids in paths.",
    };

    /// <summary>Returns the duration that the user gave; null without the option.</summary>
    public TimeSpan? Duration(ParseResult parse) => parse.GetValue(duration);

    /// <summary>Whether the user gave a duration, an interval of counter samples or a depth.</summary>
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

    // A class, so that an instance without interval ("off") differs from null (option not given).
    sealed record CounterSample(TimeSpan? Interval);
}
