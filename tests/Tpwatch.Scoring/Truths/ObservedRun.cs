using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.Scoring.Truths;

/// <summary>What the engine says of a run, beside what the fixture says of itself.</summary>
sealed record ObservedRun(PoolReport Report, RunTruth Truth)
{
    /// <summary>
    /// From the session's own start to the last of its providers being switched on,
    /// milliseconds: what happens then may not be in the stream.
    /// </summary>
    public const double SwitchedOnMs = 100;

    /// <summary>Event time of a moment of the truth; both are the monotonic clock on Linux.</summary>
    public static EventTime At(long stopwatch) => new(stopwatch);

    /// <summary>The first event that was seen.</summary>
    public EventTime From => Report.Timeline.Start;

    /// <summary>The end of the fixture's record.</summary>
    public EventTime To => At(Truth.End.At);

    /// <summary>Whether somebody attached when the run was under way: what came before was not seen.</summary>
    public bool IsLate => Truth.Items.Length > 0 && From > At(Truth.Items[0].Enqueued);

    /// <summary>Whether the pool added a worker that somebody who looked could see.</summary>
    public bool HasNewWorker => Truth.Appearances().Any(item => At(item.Started!.Value) > From.PlusMs(SwitchedOnMs));

    /// <summary>Items that waited at a moment.</summary>
    public int WaitingAt(EventTime at) =>
        Truth.Items.Count(i => At(i.Enqueued) <= at && (i.Started is not { } started || At(started) > at));

    /// <summary>The gaps as text, for who looks at a difference.</summary>
    public static string Describe(IEnumerable<InjectionDelay> delays) => string.Join('\n', delays.Select(g =>
        $"#{g.Number} {g.Reason} {g.TargetThreadsBefore}->{g.TargetThreadsAfter} {g.ObservedMs:0.0} ms, "
        + $"windows {string.Join(' ', g.Windows)}, {g.Verdict} {g.Mechanism}: {g.Because}"));
}
