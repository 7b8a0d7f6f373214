using Tpwatch.Inside;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Watch;

/// <summary>Reads the memory of a live target before a burst of stacks would pause it, where that is wanted and possible.</summary>
sealed class InsideLook
{
    /// <summary>After so many failures in a row bursts are taken at once.</summary>
    const int MostFailures = 3;

    /// <summary>So many counter samples show starvation that is there; then the reading comes by that, and not behind another.</summary>
    const int BeatsBefore = 4;

    const string NoProgram = "tpwatch cannot read the memory of the process: it does not run as a program of its own.";
    const string NoProcess = "tpwatch cannot read the memory of the process: only its diagnostic port is known.";

    readonly InsideChild? child;
    readonly int pid;
    readonly string? impossible;
    readonly bool anyway;
    int failures;

    public InsideLook(LiveSession session, WatchOptions options)
    {
        (IsWanted, pid) = (options.Depth.HasFlag(CaptureDepth.Inside), session.Target.Pid);
        IsInstead = !options.Depth.HasFlag(CaptureDepth.Stacks);
        IsAlone = IsWanted && !options.Depth.HasFlag(CaptureDepth.Auto) && IsInstead;
        anyway = options.ReadsAnyway && options.Depth.HasFlag(CaptureDepth.Auto);
        impossible = options.Inside is null ? NoProgram : session.Target.IsElsewhere || pid == 0 ? NoProcess : null;
        child = impossible is null && (IsWanted || IsInstead)
            ? new(options.Inside!, options.Time)
            : null;
    }

    /// <summary>Whether readings were asked for by name.</summary>
    public bool IsWanted { get; }

    /// <summary>Whether nothing but readings was asked for.</summary>
    public bool IsAlone { get; }

    /// <summary>Whether one is to be taken that nothing else asks for; where items wait or hang one comes by that.</summary>
    public bool IsDueAnyway(Observation now) => anyway && child is not null && now.Timeline.Heartbeats.Length >= BeatsBefore
        && !now.Ledger.Episodes.Any(e => !e.Over);

    /// <summary>Whether there is a reading before a burst.</summary>
    public bool IsPossible => child is not null;

    /// <summary>Whether a burst is left out where a reading says as much.</summary>
    public bool IsInstead { get; }

    /// <summary>
    /// Takes one reading; null where nothing is to be said of it. Bounded in time; throws nothing but
    /// <see cref="OperationCanceledException"/> when <paramref name="cancel"/> says so.
    /// </summary>
    public async Task<InsideOutcome?> TakeAsync(bool asked, CancellationToken cancel)
    {
        if (child is null || (failures >= MostFailures && !IsWanted && !asked))
        {
            return IsWanted && impossible is not null ? new(null, impossible) : null;
        }

        var outcome = await child.TakeAsync(pid, scan: IsWanted || asked, cancel).ConfigureAwait(false);
        failures = outcome.Reading is null ? failures + 1 : 0;
        return outcome;
    }
}
