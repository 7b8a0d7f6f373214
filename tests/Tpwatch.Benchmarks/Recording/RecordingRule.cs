using Tpwatch.Attach;
using Tpwatch.Explain;
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

    /// <summary>Gaps that were judged and found wrong, or could not be.</summary>
    public static int Misfits(GapTally tally) => tally.Early + tally.Late + tally.NoRule + tally.NoData;

    public static int MostMisfits(GapTally tally) => Math.Max(1, (tally.Fits + Misfits(tally)) / OneMisfitIn);

    /// <summary>Why it is refused; null when it may be kept. A replay ends with the end of the recording instead of the target's.</summary>
    public static string? Complaint(PoolReport report, ScenarioExpectation expected, long bytes) =>
        report.End is not (SessionEnd.TargetExited or SessionEnd.EndOfRecording) ? $"it ended with {report.End}"
        : report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? "events were lost"
        : Misfits(report.Tally) > MostMisfits(report.Tally) ? $"{Misfits(report.Tally)} of {report.Tally.Fits + Misfits(report.Tally)} timed gaps do not fit"
        : bytes >= MostBytes ? "it is too large"
        : ExpectationCheck.Differences(report, expected).ToArray() is { Length: > 0 } differences ? string.Join("; ", differences)
        : null;
}
