using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.Benchmarks;

/// <summary>
/// A recording of a gigabyte: `large [MB] [FILE]` makes it, once, of a pool that is flooded with items while every single one is recorded;
/// then the processor time of the whole analysis is compared with that of a bare pass of the tracing library over the same file, in pairs,
/// each in a process of its own. Ends with 1 where the analysis takes more than half as long, or 150 MB.
/// </summary>
static class Large
{
    const double MostTimes = 0.5;
    const long MostBytes = 150L << 20;
    const int DefaultMegabytes = 1000;
    const int Pairs = 3;

    public static async Task<int> RunAsync(string[] args)
    {
        var megabytes = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : DefaultMegabytes;
        var file = args.Length > 1 ? args[1] : Path.Combine(Path.GetTempPath(), $"tpwatch-large-{megabytes}.nettrace");
        if (!File.Exists(file))
            await Flood.RecordAsync(file, megabytes * 1_000_000L);
        Console.WriteLine($"{file}: {new FileInfo(file).Length / 1e6:0} MB");
        var pairs = Enumerable.Range(0, Pairs).Select(n => Pair(file, n)).ToList();
        var times = new Spread([.. pairs.Select(p => p.Whole.CpuMs / p.Bare.CpuMs)]);
        var peak = pairs.Max(p => p.Whole.PeakBytes);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"analysis against bare pass: {times.Median:0.00} times the processor time ({times.Least:0.00} to "
                + $"{times.Most:0.00}), at most {MostTimes}"));
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"most memory of the analysis: {peak >> 20} MB of {MostBytes >> 20}; of the bare pass "
                + $"{pairs.Max(p => p.Bare.PeakBytes) >> 20} MB"));
        return times.Median <= MostTimes && peak <= MostBytes ? 0 : 1;
    }

    /// <summary>Pairs of a file that is there, or is made now: times as much processor time, and the most memory.</summary>
    public static async Task<(Spread Times, long PeakBytes, string File)> MeasureAsync(int megabytes)
    {
        var file = Path.Combine(Path.GetTempPath(), $"tpwatch-large-{megabytes}.nettrace");
        if (!File.Exists(file))
            await Flood.RecordAsync(file, megabytes * 1_000_000L);
        var pairs = Enumerable.Range(0, Pairs).Select(n => Pair(file, n)).ToList();
        return (new([.. pairs.Select(p => p.Whole.CpuMs / p.Bare.CpuMs)]), pairs.Max(p => p.Whole.PeakBytes), file);
    }

    /// <summary>The whole analysis of a file, in a process of its own.</summary>
    public static Pass Analyse(string file) => Run(LargePass.Whole, file);

    static (Pass Bare, Pass Whole) Pair(string file, int number)
    {
        // Turn about, so that a file that has become warm favours neither.
        var first = Run(number % 2 == 0 ? LargePass.Bare : LargePass.Whole, file);
        var second = Run(number % 2 == 0 ? LargePass.Whole : LargePass.Bare, file);
        var (bare, whole) = number % 2 == 0 ? (first, second) : (second, first);
        Console.WriteLine(FormattableString.Invariant(
            $"  bare {bare.CpuMs:0} ms, {bare.Events} events; analysis {whole.CpuMs:0} ms, {whole.Events} events of ours"));
        return (bare, whole);
    }

    static Pass Run(string pass, string file)
    {
        var start = new ProcessStartInfo(
            "dotnet", [typeof(Large).Assembly.Location, LargePass.Name, pass, file])
        { RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        var words = process.StandardOutput.ReadToEnd().Split(' ');
        process.WaitForExit();
        return new(double.Parse(words[0], CultureInfo.InvariantCulture),
            long.Parse(words[1], CultureInfo.InvariantCulture), long.Parse(words[2], CultureInfo.InvariantCulture));
    }

    /// <summary>What a pass took, and the events that it counted.</summary>
    public sealed record Pass(double CpuMs, long PeakBytes, long Events);
}
