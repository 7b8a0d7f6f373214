using System.Diagnostics;
using Tpwatch.Core;

namespace Tpwatch.Benchmarks;

/// <summary>
/// How long a person waits for the tool to answer at all, beside a tool they know: <c>--version</c> of both, one after the other in
/// pairs, so that whatever else the machine does meets both alike. Medians, because a start is delayed often and never hastened.
/// Where a recording is named, its <c>report</c> is timed in each pair, too.
/// </summary>
static class StartUp
{
    const int DefaultPairs = 15;

    /// <summary>No slower than a tool that people find quick.</summary>
    const double MostTimes = 1;

    /// <summary>Of a report of seconds, milliseconds: a person still takes it as the answer to the key.</summary>
    const double MostReportMs = 400;

    static readonly string[] Version = ["--version"];

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static int Run(string[] args)
    {
        if (args is not [var tool, var peer, .. var rest]
            || !int.TryParse(rest.FirstOrDefault() ?? $"{DefaultPairs}", out var pairs) || pairs < 1)
        {
            Console.Error.WriteLine("usage: startup <dotnet-tpwatch> <dotnet-trace> [pairs [recording]]");
            return 3;
        }

        // The first start of each reads the files from the disk; it is another question.
        _ = (Time(tool, Version), Time(peer, Version));
        string[]? report = rest is [_, var recording, ..] ? ["report", recording] : null;
        var times = Enumerable.Range(0, pairs).Select(_ => (
            Tool: Time(tool, Version), Peer: Time(peer, Version), Report: report is null ? 0 : Time(tool, report))).ToArray();
        var (ours, theirs) = (Median(times.Select(pair => pair.Tool)), Median(times.Select(pair => pair.Peer)));
        var ratio = Median(times.Select(pair => pair.Tool / pair.Peer));
        Console.WriteLine(
            $"--version, median of {pairs} pairs: {Name(tool)} {Format.Duration(ours)}, {Name(peer)} {Format.Duration(theirs)}");
        Console.WriteLine(FormattableString.Invariant($"ratio of a pair, median: {ratio:0.00} (goal: at most {MostTimes:0.0})"));
        var goals = new Goals().AtMost($"start of {Name(tool)} against {Name(peer)}", ratio, MostTimes);
        if (report is not null)
        {
            var ms = Median(times.Select(pair => pair.Report));
            Console.WriteLine($"{string.Join(' ', report)}, median: {Format.Duration(ms)} (goal: at most {Format.Duration(MostReportMs)})");
            goals.AtMost("a report, milliseconds", ms, MostReportMs);
        }

        return goals.Conclude();
    }

    static string Name(string path) => Path.GetFileName(path);

    static double Time(string program, string[] words)
    {
        var start = new ProcessStartInfo(program, words) { RedirectStandardOutput = true };
        var watch = Stopwatch.StartNew();
        using var process = Process.Start(start) ?? throw new InvalidOperationException($"{program} did not start");
        _ = process.StandardOutput.ReadToEnd();
        if (!process.WaitForExit(Limit) || process.ExitCode != 0)
            throw new InvalidOperationException($"{program} {words[0]} did not answer properly");
        return watch.Elapsed.TotalMilliseconds;
    }

    static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
