using System.Globalization;
using Tpwatch.Core;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Packaging;
using Tpwatch.Pool;

namespace Tpwatch.LiveTests.Targets;

/// <summary>
/// A row that the machine has spoiled: it did not let the fixture run at the very time that matters, so that the run says nothing, neither
/// good nor bad. It passes and is written down; the tally prints what was and fails a run with more than two. A row is never made again
/// instead.
/// </summary>
static class VoidRow
{
    /// <summary>A fixture that computes for itself gets all; with less its processors read as idle though it waits for them.</summary>
    const double EnoughProcessors = 0.85;

    /// <summary>Another test, or another process of tests, writes its line; longer than that nobody does.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(5);

    /// <summary>One line a row: the test's name and why. It lies where the results lie, and goes with them.</summary>
    public static string List { get; } = Path.Combine(SourceBuild.Root, "artifacts", "tests", "void.txt");

    /// <summary>
    /// Whether the row that asks is void, and written down as such; to be asked by a row that would fail otherwise. Only a standstill of
    /// <paramref name="atLeastMs"/> or longer that overlaps the time which matters excuses, as the fixture's own record has it.
    /// </summary>
    public static async Task<bool> IsAsync(RunTruth truth, EventTime from, EventTime to, double atLeastMs)
    {
        if (Standstill(truth.Hiccups, from, to, atLeastMs) is not { } standstill)
        {
            return false;
        }

        await WriteAsync(
            $"the machine did not let the fixture run for {standstill.OvershootMs:0} ms, at the {to.MsSince(from):0} ms that matter");
        return true;
    }

    /// <summary>Whether a row whose fixture computes is void, since others took the processors that it was to have for itself.</summary>
    public static async Task<bool> LacksProcessorsAsync(RunTruth truth)
    {
        var share = ShareOfProcessors(truth);
        if (share is null or >= EnoughProcessors)
        {
            return false;
        }

        await WriteAsync($"the fixture, which computes, got {100 * share:0}% of the processors that it was to have");
        return true;
    }

    /// <summary>
    /// Whether a row in which no item is to wait is void: by the service's own record, a request that blocks nothing took
    /// <paramref name="longestMs"/>, at least <paramref name="atLeastMs"/>. Whoever says then that items waited is right.
    /// </summary>
    public static async Task<bool> WaitedAsync(double longestMs, double atLeastMs)
    {
        if (longestMs < atLeastMs)
        {
            return false;
        }

        await WriteAsync($"a request that blocks nothing took {longestMs:0} ms");
        return true;
    }

    /// <summary>
    /// Whether a row in which the detector of starvation must stay silent is void: by the fixture's own record, no item started for longer
    /// than it waits, while some were queued; nor after the record's end, when a busy machine lets the fixture end slowly.
    /// </summary>
    public static async Task<bool> PausedAsync(RunTruth truth, EventTime until)
    {
        var starts = truth.Starts();
        var pause = Math.Max(BlockedItems.LongestPause(truth, starts), until.MsSince(new(starts[^1].Started!.Value)));
        if (pause <= GateTiming.StarvationMs)
        {
            return false;
        }

        await WriteAsync($"no item started for {pause:0} ms, which wakes the detector");
        return true;
    }

    /// <summary>
    /// Processor time by the process's own clock, of what its processors have, from its first item's start to
    /// its last one's end; null without a record of it.
    /// </summary>
    internal static double? ShareOfProcessors(RunTruth truth)
    {
        var (from, to) = (truth.Items.Min(item => item.Started), truth.Items.Max(item => item.Ended ?? truth.End.At));
        TruthPool[] seen = [.. truth.Pool.Where(one => one.At >= from && one.At <= to)];
        return seen.Length < 2
            ? null
            : (seen[^1].CpuMs - seen[0].CpuMs) / (new EventTime(seen[^1].At).MsSince(new(seen[0].At)) * truth.Header.Processors);
    }

    /// <summary>The longest standstill of at least that length that overlaps a stretch of time; null when none does.</summary>
    internal static TruthHiccup? Standstill(IEnumerable<TruthHiccup> hiccups, EventTime from, EventTime to, double atLeastMs) =>
        hiccups.Where(h => h.OvershootMs >= atLeastMs && At(h) >= from && At(h).PlusMs(-h.OvershootMs) <= to).MaxBy(h => h.OvershootMs);

    static Task WriteAsync(FormattableString why) =>
        WriteAsync(List, TestContext.Current.Test!.TestDisplayName, why.ToString(CultureInfo.InvariantCulture));

    /// <summary>Adds a line as a whole, whoever else adds one.</summary>
    internal static async Task WriteAsync(string file, string test, string why)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        await using var list = await OpenedAsync(file);
        await using var writer = new StreamWriter(list);
        await writer.WriteAsync($"{test}: {why}".ReplaceLineEndings(" ") + "\n");
    }

    // Alone in it: two that have it open would write at the same place.
    static async Task<FileStream> OpenedAsync(string file)
    {
        var start = TimeProvider.System.GetTimestamp();
        while (true)
        {
            try
            {
                return new(file, FileMode.Append, FileAccess.Write, FileShare.None);
            }
            catch (IOException) when (TimeProvider.System.GetElapsedTime(start) < Patience)
            {
                await Task.Delay(LookAgain, CancellationToken.None);
            }
        }
    }

    static EventTime At(TruthHiccup hiccup) => new(hiccup.At);
}
