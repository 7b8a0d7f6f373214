using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// The judgement of one memory reading: a single moment shows no rate and no duration, so most values of a watch are unknown.
/// </summary>
/// <param name="Verdict">The verdict as far as possible; otherwise undecided.</param>
/// <param name="Sentence">The result, and what one moment does not show.</param>
sealed record Moment(Verdict Verdict, string Sentence)
{
    const string Before = "One moment does not tell what came before.";

    const string Long = "One moment does not tell for how long.";

    /// <summary>Judges a reading.</summary>
    public static Moment Of(InsideReading reading) => OfPool(reading) is var pool && reading.Deadlock is { } cycle
        ? pool with { Sentence = $"{InsideWords.Of(cycle)} {pool.Sentence}" } : pool;

    static Moment OfPool(InsideReading reading)
    {
        var blocked = reading.Waits.Sum(w => w.Workers);
        if (reading.Queue is not { } queue)
        {
            return new(Verdict.Undecided, $"{Threads(blocked)} blocked. What waits in the queue is not known.");
        }

        var (items, stopped, all) = (Format.Plural(queue.Total, "work item"), Threads(blocked), Threads(blocked, "all "));
        var working = Math.Max(reading.Limits?.Working ?? 0, blocked);
        var most = reading.Limits?.MaxThreads ?? int.MaxValue;
        return (queue.Total, blocked) switch
        {
            (0, 0) => new(Verdict.Healthy, $"No work item waited, and no worker thread was blocked. {Before}"),
            (0, _) => new(Verdict.Undecided, $"No work item waited, and {stopped} blocked. {Long}"),
            _ when working == 0 => new(Verdict.Undecided, $"{items} waited, and no worker thread worked. {Long}"),
            _ when blocked < working => new(
                Verdict.Undecided, $"{items} waited. {stopped} blocked, {Format.Count(working - blocked)} worked. {Long}"),
            _ when InsideOutlook.IsForQueue(reading) => new(
                Verdict.Starved, $"{items} waited, and {all} blocked on tasks that need a worker thread themselves."),
            _ when working >= most => new(
                Verdict.StarvedAtMax, $"{items} waited, {all} blocked, and MaxThreads ({Format.Count(most)}) allows no more."),
            _ => new(Verdict.Starved, $"{items} waited, and {all} blocked."),
        };
    }

    static string Threads(int count, string all = "") =>
        $"{(count == 1 ? "" : all)}{Format.Plural(count, "worker thread")} {(count == 1 ? "was" : "were")}";
}
