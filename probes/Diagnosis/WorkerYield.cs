using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>What further workers brought while items waited.</summary>
enum Yield
{
    /// <summary>The capture does not tell: too few were added, or both would look alike.</summary>
    Unknown,

    /// <summary>Completions grew with the workers: what items wait for served them all at once.</summary>
    Grows,

    /// <summary>Completions stayed as they were: workers wait for each other, as at a lock.</summary>
    Flat,
}

/// <summary>
/// Completions against workers over the heartbeats at which items waited, when every worker was held. Three accounts are laid over
/// what was counted: as many a second whatever the number of workers (a lock); in proportion to the time of all workers (sleeps that
/// begin at any moment); and each worker at its own multiples of one hold time since it began (sleeps in step). The one that is far
/// less off than the others is believed, otherwise none.
/// </summary>
sealed class WorkerYield
{
    /// <summary>
    /// The better account must be off by half as much at most: with noise alone the accounts of stored runs differ by less.
    /// </summary>
    const double ClearlyBetter = 0.5;

    /// <summary>And be better by a quarter of an item on average: below that counts of whole items decide it by accident.</summary>
    const double LeastItems = 0.25;

    /// <summary>So many items must have been the added workers' share, or nothing is known of them.</summary>
    const double EnoughOfAdded = 3;

    /// <summary>Hold times that are tried, as shares of what Little's law says, which counts those that are still held as well.</summary>
    const double Shortest = 0.3;

    const double Longest = 1.5;

    /// <summary>From one to the next; items of one length end within less.</summary>
    const double Finer = 1.004;

    /// <summary>More workers or heartbeats take longer than anybody waits, and step no longer by then.</summary>
    const int MostInStep = 256;

    const int MostBeats = 60;

    readonly Heartbeat[] beats;
    readonly double[] counted;
    readonly double[] busyMs;

    WorkerYield(Heartbeat[] beats)
    {
        this.beats = beats;
        (counted, busyMs) = (new double[beats.Length], new double[beats.Length]);
        for (var i = 1; i < beats.Length; i++)
        {
            counted[i] = counted[i - 1] + beats[i].Completed!.Value;
            busyMs[i] = busyMs[i - 1]
                + (beats[i - 1].Workers!.Value + beats[i].Workers!.Value) / 2.0 * beats[i].At.MsSince(beats[i - 1].At);
        }
    }

    /// <summary>What the capture shows.</summary>
    public static Yield Of(PoolReport report)
    {
        var all = report.Timeline.Heartbeats;
        var beats = LongestWait([.. all]);
        return beats.Length < 3 ? Yield.Unknown
            : new WorkerYield(beats).Judge(FirstWorkers(report, beats, all.LastOrDefault(b => b.At < beats[0].At)));
    }

    // Heartbeats in a row at which items waited; one that is missing, or says nothing, ends the row.
    static Heartbeat[] LongestWait(Heartbeat[] all)
    {
        var (best, first) = ((From: 0, Count: 0), 0);
        for (var i = 0; i < all.Length; i++)
        {
            var waits = all[i] is { Backlog: > 0, Workers: > 0 };
            first = !waits ? i + 1 : all[i].Completed is null ? i : first;
            best = i + 1 - first > best.Count ? (first, i + 1 - first) : best;
        }

        return all[best.From..(best.From + best.Count)];
    }

    // When each worker began, where all of them began with this wait: then those of sleeps are in step.
    static EventTime[] FirstWorkers(PoolReport report, Heartbeat[] beats, Heartbeat? before)
    {
        if (before is not { Backlog: 0 } idle)
        {
            return [];
        }

        EventTime[] begun = [.. report.Timeline.WorkerMoments
            .Where(m => m.Deed == WorkerDeed.Started && m.At > idle.At && m.At <= beats[^1].At).Select(m => m.At)];
        return begun.Length <= MostInStep && begun.Count(at => at <= beats[0].At) >= beats[0].Workers ? begun : [];
    }

    Yield Judge(EventTime[] begun)
    {
        if (counted[^1] < 1 || counted[^1] * AddedShare() < EnoughOfAdded)
        {
            return Yield.Unknown;
        }

        var flat = Off([.. beats.Select(b => b.At.MsSince(beats[0].At))]);
        double[] accounts = [Off(busyMs), Off(Late(holdMs: busyMs[^1] / counted[^1])),
            begun.Length == 0 ? double.PositiveInfinity : OffInStep(begun)];
        var grows = accounts.Min();
        return IsBetter(grows, flat) ? Yield.Grows : IsBetter(flat, grows) ? Yield.Flat : Yield.Unknown;
    }

    /// <summary>
    /// The time of all workers one hold time earlier: what a worker that was added takes on is completed as much later. Before the first
    /// heartbeat there were as many as at it, as far as is known.
    /// </summary>
    double[] Late(double holdMs)
    {
        var (late, next) = (new double[beats.Length], 1);
        for (var i = 0; i < beats.Length; i++)
        {
            var sinceMs = SinceFirst(i);
            // The moments looked back to come in order: one walk finds all of them, however long the wait.
            for (; SinceFirst(next) < sinceMs - holdMs; next++)
            {
            }

            late[i] = beats[0].Workers!.Value * Math.Min(sinceMs, holdMs) + BusyUntil(Math.Max(0, sinceMs - holdMs), next);
        }

        return late;
    }

    /// <summary>The time of all workers from the first heartbeat to a moment between two others.</summary>
    double BusyUntil(double sinceFirstMs, int next)
    {
        var (from, to) = (SinceFirst(next - 1), SinceFirst(next));
        return busyMs[next - 1] + (to > from ? (sinceFirstMs - from) / (to - from) * (busyMs[next] - busyMs[next - 1]) : 0);
    }

    double SinceFirst(int beat) => beats[beat].At.MsSince(beats[0].At);

    static bool IsBetter(double one, double other) => one <= ClearlyBetter * other && other - one >= LeastItems;

    /// <summary>Of the time of all workers the share of those beyond the first heartbeat's.</summary>
    double AddedShare() => busyMs[^1] <= 0 ? 0 : Math.Max(0, 1 - beats[0].Workers!.Value * beats[^1].At.MsSince(beats[0].At) / busyMs[^1]);

    /// <summary>
    /// By how many items on average an account is off that rises in proportion to <paramref name="measure"/>, at its best scale.
    /// </summary>
    double Off(double[] measure) => measure[^1] <= 0 ? double.PositiveInfinity
        : Enumerable.Range(60, 100).Min(percent => Off(i => counted[^1] / measure[^1] * percent / 100 * measure[i], beats.Length));

    double OffInStep(EventTime[] begun)
    {
        var count = Math.Min(beats.Length, MostBeats);
        var little = busyMs[^1] / counted[^1];
        var best = double.PositiveInfinity;
        for (var hold = little * Shortest; hold < little * Longest; hold *= Finer)
        {
            var ms = hold;
            best = Math.Min(best, Off(i => begun.Sum(at => Math.Max(0, Math.Floor(beats[i].At.MsSince(at) / ms))), count));
        }

        return best;
    }

    // What was counted before the first heartbeat is not known, so that only differences count.
    double Off(Func<int, double> account, int count)
    {
        double[] off = [.. Enumerable.Range(0, count).Select(i => counted[i] - account(i))];
        var middle = off.Order().ElementAt(count / 2);
        return off.Average(items => Math.Abs(items - middle));
    }
}
