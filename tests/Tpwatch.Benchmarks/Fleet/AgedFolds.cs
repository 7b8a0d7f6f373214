using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Benchmarks.Fleet;

/// <summary>
/// What the engine holds of a process after a day, without waiting for one: facts of a day are folded, and the managed heap is asked.
/// </summary>
static class AgedFolds
{
    const int Day = 24 * 3600;
    const int Folds = 10;

    /// <summary>A process with eight processors.</summary>
    public static TargetFacts Target { get; } = new()
    {
        Pid = 1, Name = "x", RuntimeVersion = "10.0.12", Processors = new(8, SettingSource.Event), MinWorkers = new(8, SettingSource.Event),
    };

    /// <summary>Megabytes a process after a day: idle, and with ten seconds of starvation every half hour.</summary>
    public static string Row() =>
        FormattableString.Invariant($"the engine holds of a process after a day: {Megabytes(starves: false):0.0} MB idle, ")
        + FormattableString.Invariant($"{Megabytes(starves: true):0.0} MB with ten seconds of starvation every half hour");

    static double Megabytes(bool starves)
    {
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var folds = Enumerable.Range(0, Folds).Select(_ => Fold(starves)).ToArray();
        var after = GC.GetTotalMemory(forceFullCollection: true);
        GC.KeepAlive(folds);
        return (after - before) / 1e6 / Folds;
    }

    static (PoolFold Fold, PoolReport Report) Fold(bool starves)
    {
        var fold = Of(Day, starves);
        return (fold, fold.Report(SessionEnd.StillOpen));
    }

    /// <summary>Folded for so many seconds; idle, or with ten seconds of starvation every half hour.</summary>
    public static PoolFold Of(int seconds, bool starves)
    {
        PoolFold fold = new(Target, SessionSource.Live);
        var sink = fold.Sink();
        sink.On(new StreamOpened(default, DateTime.UnixEpoch, 8));
        for (var second = 1; second <= seconds; second++)
        {
            Play(sink, second, starves && second % 1800 < 10);
        }

        return fold;
    }

    static void Play(IFactSink sink, int second, bool starves)
    {
        var at = new EventTime(0).PlusMs(second * 1000.0);
        sink.On(new CountersRead(at, 1000, 8 + second % 3, starves ? 50 : 0, starves ? 0 : 4, new(null, starves ? 0.01 : 0.02)));
        if (starves)
        {
            sink.On(new TargetThreadsChanged(at.PlusMs(10), 900, 8 + second % 10, AdjustmentReason.Starvation));
        }

        if (second % 7 == 0)
        {
            sink.On(new WorkerWaited(at.PlusMs(20), 1000 + second % 8, 8 + second % 3));
        }
    }
}
