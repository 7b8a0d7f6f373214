using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Text;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Serving;

/// <summary>
/// A machine on which one process comes in each step of a day and soon goes again: a service that restarts, jobs that each have a name and
/// a container of their own, some that starve, some that cannot be watched. Numbers are used again, as a kernel does. Two stay all day.
/// </summary>
sealed class CrowdedMachine : IProcessTracker
{
    /// <summary>Steps that a process lives.</summary>
    const int Life = 5;

    const int Forever = int.MaxValue;

    /// <summary>Numbers, of which a kernel has 32 768 by default.</summary>
    const int Numbers = 3000;

    readonly List<ProcessRow> coming = [];
    readonly List<(FoldedProcess Process, int Until)> living = [];
    readonly List<WeakReference> all = [];
    int step;

    /// <summary>Processes that were attached to.</summary>
    public int Attached => all.Count;

    /// <summary>Observations that somebody still holds, after a collection.</summary>
    public int Held => all.Count(known => known.IsAlive);

    /// <summary>One step of so many seconds: everybody goes on, who has lived goes, one comes.</summary>
    public void Step(int seconds)
    {
        step++;
        foreach (var (process, until) in living)
        {
            if (step >= until)
            {
                process.End();
            }
            else
            {
                process.Live(seconds);
            }
        }

        // Who is watched anew lives on under the fresh watch.
        living.RemoveAll(one => one.Process.Completion.IsCompleted);
        coming.Add(Row(step));
    }

    public IReadOnlyList<ProcessRow> Arrivals()
    {
        var come = coming.ToArray();
        coming.Clear();
        return come;
    }

    public void Later(ProcessRow process, TimeSpan after)
    {
    }

    public bool HasGone(ProcessRow process) => false;

    public Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel)
    {
        if (process.Name.StartsWith("shy", StringComparison.Ordinal))
        {
            return Task.FromException<IWatch>(new UserErrorException("the process refuses", "do something", ExitCode.NoSession));
        }

        FoldedProcess watch = new(starves: process.Name.StartsWith("hungry", StringComparison.Ordinal));
        living.Add((watch, process.Name.StartsWith("always", StringComparison.Ordinal) ? Forever : step + Life));
        all.Add(new(watch));
        return Task.FromResult<IWatch>(watch);
    }

    public Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel) => throw new NotSupportedException();

    public void Dispose()
    {
    }

    static ProcessRow Row(int number) => new(1000 + number % Numbers, NameOf(number), "10.0.12", "app", null)
    {
        Executable = number % 3 == 0 ? NameOf(number) : "dotnet",
        Container = number % 3 == 0 ? Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(NameOf(number))))[..12] : null,
        StartTime = (ulong)number,
    };

    static string NameOf(int number) => number switch
    {
        <= 2 => string.Create(CultureInfo.InvariantCulture, $"always-{number}"),
        _ when number % 40 == 0 => string.Create(CultureInfo.InvariantCulture, $"hungry-{number}"),
        _ when number % 7 == 0 => string.Create(CultureInfo.InvariantCulture, $"shy-{number}"),
        _ when number % 2 == 0 => "orders",
        _ => string.Create(CultureInfo.InvariantCulture, $"job-{number}-{new string('x', number % 100)}"),
    };
}

/// <summary>The engine's own fold of facts, as a watch.</summary>
sealed class FoldedProcess : IWatch
{
    readonly TaskCompletionSource<SessionEnd> completion = new();
    readonly PoolFold fold = new(Target, SessionSource.Live);
    readonly IFactSink sink;
    readonly bool starves;
    int second;

    public FoldedProcess(bool starves)
    {
        this.starves = starves;
        sink = fold.Sink();
        sink.On(new StreamOpened(default, DateTime.UnixEpoch, 8));
    }

    public Task<SessionEnd> Completion => completion.Task;

    static TargetFacts Target { get; } = new()
    {
        Pid = 1, Name = "x", RuntimeVersion = "10.0.12", Processors = new(8, SettingSource.Event), MinWorkers = new(8, SettingSource.Event),
    };

    /// <summary>Its counters after so many seconds more.</summary>
    public void Live(int seconds)
    {
        second += seconds;
        var at = new EventTime(0).PlusMs(second * 1000.0);
        sink.On(new CountersRead(at, seconds * 1000.0, 8 + second % 3, starves ? 50 : 0, starves ? 0 : 4, new(null, 0.01)));
        if (starves)
        {
            sink.On(new TargetThreadsChanged(at.PlusMs(10), 900, 8 + second, AdjustmentReason.Starvation));
        }
    }

    public void End() => completion.TrySetResult(SessionEnd.TargetExited);

    public PoolReport Report() => fold.Report(SessionEnd.StillOpen);

    public CurrentPoolState? Glance(TimelineSnapshot? since) => CurrentPoolState.Of(
        new(fold.Timeline.Snapshot(), fold.Ledger.Snapshot(), new() { Forecast = fold.Forecast.Snapshot() }, SessionEnd.StillOpen), since);

    public Task StopAsync(CancellationToken cancel) => Task.CompletedTask;

    public SavedFlight SaveRetained(string path)
    {
        File.WriteAllText(path, "what is retained");
        return new(path, 0, IsWhole: true);
    }

    public ValueTask DisposeAsync()
    {
        End();
        return ValueTask.CompletedTask;
    }
}
