using Tpwatch.Attach;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.LiveTests.Scenarios;

namespace Tpwatch.Benchmarks.Recording;

/// <summary>Which recording is worth keeping: whole, small, accounted for by the ledger, and showing what its scenario must show.</summary>
internal static class RecordingRule
{
    /// <summary>More says nothing that a smaller one does not; the repository keeps every byte for ever.</summary>
    public const long MostBytes = 300_000;

    /// <summary>Of the gaps that have a clock a twentieth may not fit, and one in any case: no machine is quiet for that long.</summary>
    const int OneMisfitIn = 20;

    /// <summary>Gaps that were judged and found wrong, or could not be, although the process ran: what kept it from running is told with evidence.</summary>
    public static int Misfits(PoolReport report) => report.Gaps.Count(g =>
        g.Rule != GapRule.G12NotRunning && (g.Verdict is GapVerdict.Early or GapVerdict.Late or GapVerdict.NoRule or GapVerdict.NoData));

    /// <summary>Gaps that have a clock.</summary>
    public static int Timed(PoolReport report) => report.Tally.Fits + Misfits(report);

    public static int MostMisfits(PoolReport report) => Math.Max(1, Timed(report) / OneMisfitIn);

    /// <summary>Why it is refused; null when it may be kept. A replay ends with the end of the recording instead of the target's.</summary>
    public static string? Complaint(PoolReport report, ScenarioExpectation expected, long bytes) =>
        report.End is not (SessionEnd.TargetExited or SessionEnd.EndOfRecording) ? $"it ended with {report.End}"
        : report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? "events were lost"
        : Misfits(report) > MostMisfits(report) ? $"{Misfits(report)} of {Timed(report)} timed gaps do not fit"
        : bytes >= MostBytes ? "it is too large"
        : ExpectationCheck.Differences(report, expected).ToArray() is { Length: > 0 } differences ? string.Join("; ", differences)
        : null;
}
