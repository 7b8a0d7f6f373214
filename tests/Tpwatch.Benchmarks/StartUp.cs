using System.Diagnostics;
using Tpwatch.Basics;

namespace Tpwatch.Benchmarks;

/// <summary>
/// How long a person waits for the tool to answer at all, beside a tool they know: <c>--version</c> of both, one after the other in
/// pairs, so that whatever else the machine does meets both alike. Medians, because a start is delayed often and never hastened.
/// </summary>
static class StartUp
{
    const int DefaultPairs = 15;

    /// <summary>Both answer before a person has let go of the key; twice as long would still be felt by a script that asks often.</summary>
    const double MostTimes = 2;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static int Run(string[] args)
    {
        if (args is not [var tool, var peer, .. var rest]
            || !int.TryParse(rest.FirstOrDefault() ?? $"{DefaultPairs}", out var pairs) || pairs < 1)
        {
            Console.Error.WriteLine("usage: startup <dotnet-tpwatch> <dotnet-trace> [pairs]");
            return 3;
        }

        // The first start of each reads the files from the disk; it is another question.
        _ = (TimeVersion(tool), TimeVersion(peer));
        var times = Enumerable.Range(0, pairs).Select(_ => (Tool: TimeVersion(tool), Peer: TimeVersion(peer))).ToArray();
        var (ours, theirs) = (Median(times.Select(pair => pair.Tool)), Median(times.Select(pair => pair.Peer)));
        var ratio = Median(times.Select(pair => pair.Tool / pair.Peer));
        Console.WriteLine(
            $"--version, median of {pairs} pairs: {Name(tool)} {Format.Duration(ours)}, {Name(peer)} {Format.Duration(theirs)}");
        Console.WriteLine(FormattableString.Invariant($"ratio of a pair, median: {ratio:0.00} (goal: at most {MostTimes:0.0})"));
        return new Goals().AtMost($"start of {Name(tool)} against {Name(peer)}", ratio, MostTimes).Conclude();
    }

    static string Name(string path) => Path.GetFileName(path);

    static double TimeVersion(string program)
    {
        var start = new ProcessStartInfo(program, "--version") { RedirectStandardOutput = true };
        var watch = Stopwatch.StartNew();
        using var process = Process.Start(start) ?? throw new InvalidOperationException($"{program} did not start");
        _ = process.StandardOutput.ReadToEnd();
        if (!process.WaitForExit(Limit) || process.ExitCode != 0)
            throw new InvalidOperationException($"{program} --version did not answer properly");
        return watch.Elapsed.TotalMilliseconds;
    }

    static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
