using System.Collections.Concurrent;
using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Tests.Replay;
using Tpwatch.Text;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Serving;

/// <summary>A machine whose processes are recordings, which come and go as a test says.</summary>
sealed class RecordedFleet : IProcessTracker
{
    /// <summary>Who has come since the last look.</summary>
    public List<ProcessRow> Coming { get; } = [];

    /// <summary>Who is watched, and whether somebody left it; several are attached to at once.</summary>
    public ConcurrentDictionary<int, RecordedProcess> Watched { get; } = [];

    /// <summary>Who shall come again.</summary>
    public List<int> Again { get; } = [];

    /// <summary>What was begun so far.</summary>
    public List<Task> Attempts { get; } = [];

    /// <summary>Why attaching fails; null when it does not.</summary>
    public UserErrorException? Refusal { get; set; }

    public static ProcessRow Row(int pid, string name = "pool-burst", string? whyNot = null) =>
        new(pid, name, "10.0.12", "app", null, whyNot) { Executable = "dotnet", StartTime = 1 };

    public IReadOnlyList<ProcessRow> Arrivals()
    {
        var come = Coming.ToArray();
        Coming.Clear();
        return come;
    }

    public void Later(ProcessRow process, TimeSpan after) => Again.Add(process.Pid);

    public bool HasGone(ProcessRow process) => false;

    public Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel)
    {
        var attempt = AttachAsync(process, cancel);
        Attempts.Add(attempt);
        return attempt;
    }

    /// <summary>Who is being recorded.</summary>
    public List<RecordedSideStream> Streams { get; } = [];

    public Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel)
    {
        if (Refusal is { } refusal)
        {
            throw refusal;
        }

        Streams.Add(new(process.Name));
        return Task.FromResult<ISideStream>(Streams[^1]);
    }

    async Task<IWatch> AttachAsync(ProcessRow process, CancellationToken cancel)
    {
        if (Refusal is { } refusal)
        {
            throw refusal;
        }

        return Watched[process.Pid] = await RecordedProcess.OfAsync(process.Name, cancel);
    }

    public void Dispose()
    {
    }
}

/// <summary>A recording, read to its end, of a process that still lives.</summary>
sealed class RecordedProcess(EngineWatch whole) : IWatch
{
    readonly TaskCompletionSource<SessionEnd> completion = new();

    /// <summary>Whether it was left.</summary>
    public bool Disposed { get; private set; }

    public Task<SessionEnd> Completion => completion.Task;

    public static async Task<RecordedProcess> OfAsync(string recording, CancellationToken cancel)
    {
        EngineWatch watch = new(ThreadPoolWatch.Replay(TestRecordings.File(recording), new() { RetainBytes = 64 << 20 }), hasTarget: false);
        await watch.Completion.WaitAsync(cancel);
        return new(watch);
    }

    /// <summary>The process ends.</summary>
    public void End(SessionEnd how) => completion.SetResult(how);

    public PoolReport Report() => whole.Report();

    /// <summary>How long it seems to be watched, milliseconds; null as long as the recording is.</summary>
    public double? AgeMs { get; set; }

    public CurrentPoolState? Glance(TimelineSnapshot? since) => whole.Glance(since) is { } glance && AgeMs is { } age
        ? glance with { Timeline = glance.Timeline with { Now = glance.Timeline.Start.PlusMs(age) } }
        : whole.Glance(since);

    /// <summary>That nothing comes from it any more.</summary>
    public TargetSilence? Silence { get; set; }

    public Task StopAsync(CancellationToken cancel) => Task.CompletedTask;

    public SavedFlight SaveRetained(string path) => whole.SaveRetained(path);

    public async ValueTask DisposeAsync()
    {
        Disposed = true;
        await whole.DisposeAsync();
    }
}
