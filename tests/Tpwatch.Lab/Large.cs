using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Tpwatch.Core;
using Tpwatch.Export;

namespace Tpwatch.Lab;

/// <summary>
/// A recording of a gigabyte, made once, of a pool that is flooded with items while every single one is recorded: the processor time of the
/// whole analysis against that of a bare pass of the tracing library over the same file, in pairs, each in a process of its own.
/// </summary>
static class Large
{
    const int Pairs = 3;

    /// <summary>Pairs of a file that is there, or is made now: times as much processor time, and the most memory.</summary>
    public static async Task<(Spread Times, long PeakBytes, string File)> MeasureAsync(int megabytes)
    {
        var file = Path.Combine(Path.GetTempPath(), $"tpwatch-large-{megabytes}.nettrace");
        if (!File.Exists(file))
            await Flood.RecordAsync(file, megabytes * 1_000_000L);
        List<(Pass Bare, Pass Whole)> pairs = [];
        for (var number = 0; number < Pairs; number++)
            pairs.Add(await PairAsync(file, number));
        return (new(pairs.Select(p => p.Whole.CpuMs / p.Bare.CpuMs)), pairs.Max(p => p.Whole.PeakBytes), file);
    }

    /// <summary>A pass over a file, in a process of its own.</summary>
    public static async Task<Pass> RunAsync(string pass, string file)
    {
        var words = (await Processes.OutputAsync([typeof(Large).Assembly.Location, LargePass.Name, pass, file])).Split(' ');
        return new(double.Parse(words[0], CultureInfo.InvariantCulture),
            long.Parse(words[1], CultureInfo.InvariantCulture), long.Parse(words[2], CultureInfo.InvariantCulture));
    }

    static async Task<(Pass Bare, Pass Whole)> PairAsync(string file, int number)
    {
        // Turn about, so that a file that has become warm favours neither.
        string[] turn = number % 2 == 0 ? [LargePass.Bare, LargePass.Whole] : [LargePass.Whole, LargePass.Bare];
        var (first, second) = (await RunAsync(turn[0], file), await RunAsync(turn[1], file));
        var (bare, whole) = number % 2 == 0 ? (first, second) : (second, first);
        Console.WriteLine(
            $"  bare {bare.CpuMs:0} ms, {bare.Events} events; analysis {whole.CpuMs:0} ms, {whole.Events} events of ours");
        return (bare, whole);
    }

    /// <summary>What a pass took, and the events that it counted.</summary>
    public sealed record Pass(double CpuMs, long PeakBytes, long Events);
}

/// <summary>The child: one pass over a recording, in a process of its own so that its memory is its own.</summary>
static class LargePass
{
    public const string Name = "pass";

    /// <summary>The tracing library alone, nothing subscribed.</summary>
    public const string Bare = "bare";

    /// <summary>From the file to the last line of its report.</summary>
    public const string Whole = "whole";

    /// <summary>A recording of a gigabyte is read within minutes; one that takes longer hangs.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(20);

    public static async Task<int> RunAsync(string pass, string file)
    {
        var events = pass == Bare ? Decode(file) : await AnalyseAsync(file);
        // The most that was resident at any time, as the kernel counts it.
        var peak = Processes.Status(Environment.ProcessId, "VmHWM") * 1024;
        Console.WriteLine($"{Environment.CpuUsage.TotalTime.TotalMilliseconds} {peak} {events}");
        return 0;
    }

    static long Decode(string file)
    {
        using var source = new EventPipeEventSource(file);
        var events = 0L;
        source.AllEvents += _ => events++;
        source.Process();
        return events;
    }

    static async Task<long> AnalyseAsync(string file)
    {
        await using var watch = ThreadPoolWatch.Replay(file, new WatchOptions());
        await watch.Completion.WaitAsync(Limit);
        var report = watch.Report();
        GC.KeepAlive(JsonReportRenderer.Render(report, DateTime.UnixEpoch, "0", showCommandLine: false));
        return report.Timeline.Quality.Events;
    }
}

/// <summary>
/// Records a pool that is flooded with items, each queueing and each taking told by an event, until a file is as large as wanted.
/// </summary>
static class Flood
{
    /// <summary>
    /// Pool events, collections and the enqueue and dequeue of every item; the heartbeat as any session of ours asks for it.
    /// </summary>
    static readonly EventPipeProvider[] Providers =
    [
        new("Microsoft-Windows-DotNETRuntime", EventLevel.Informational, 0x10001),
        new("System.Diagnostics.Eventing.FrameworkEventSource", EventLevel.Verbose, 0x2),
        new("System.Runtime", EventLevel.Informational, 0x3),
        new("System.Diagnostics.Metrics", EventLevel.Informational, 0x2, new Dictionary<string, string>
        {
            ["SessionId"] = "SHARED", ["Metrics"] = "System.Runtime",
            ["RefreshInterval"] = "1", ["MaxTimeSeries"] = "1000", ["MaxHistograms"] = "10",
        }),
    ];

    const int BufferMegabytes = 64;
    const int Chains = 64;
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(8);

    public static async Task RecordAsync(string path, long bytes)
    {
        await using var load = await LoadProcess.StartAsync(Chains, LoadProcess.Idle);
        using var session = new DiagnosticsClient(load.Pid).StartEventPipeSession(Providers, requestRundown: false, BufferMegabytes);
        await using var file = File.Create(path);
        var buffer = new byte[1 << 20];
        var stop = Task.CompletedTask;
        var begun = Stopwatch.GetTimestamp();
        for (int count; (count = await session.EventStream.ReadAsync(buffer)) > 0;)
        {
            await file.WriteAsync(buffer.AsMemory(0, count));
            if (stop.IsCompleted && file.Position >= bytes)
            {
                // The stream ends in order, so that it is a whole recording; what still comes is read.
                stop = stop == Task.CompletedTask ? session.StopAsync(CancellationToken.None) : stop;
            }
            else if (Stopwatch.GetElapsedTime(begun) > Limit)
            {
                throw new UserErrorException(
                    $"only {file.Position} bytes came within {Limit.TotalMinutes} minutes", "ask for fewer megabytes", ExitCode.Broken);
            }
        }

        await stop;
    }
}
