using System.Diagnostics;
using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Tpwatch.Core;

namespace Tpwatch.Benchmarks;

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
