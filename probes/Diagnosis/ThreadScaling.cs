using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>The effect of added worker threads on completions while items waited.</summary>
enum ScalingEffect
{
    /// <summary>Unknown: too few threads were added, or growing and constant completions cannot be told apart.</summary>
    Unknown,

    /// <summary>Completions grew with the worker threads: the awaited resource served all threads at once.</summary>
    Grows,

    /// <summary>Completions stayed constant: worker threads wait for each other, as at a lock.</summary>
    Flat,
}

/// <summary>
/// Compares three models with the completed items in the counter samples at which items waited. In the first, the completion rate is the
/// same for any number of threads (a lock). In the second, completions are proportional to total thread time (sleeps that begin at any
/// time). In the third, the in-step model, each thread completes one item per hold time, counted from the thread's start (sleeps
/// that begin together). The effect is known only if the error of the first model clearly differs from the smaller error of the others.
/// </summary>
sealed class ThreadScaling
{
    /// <summary>
    /// Maximum ratio of the smaller model error to the larger one for a known effect. In recorded runs, noise alone gives a larger ratio.
    /// </summary>
    const double ClearlyBetter = 0.5;

    /// <summary>Minimum difference of two models' mean errors for a known effect, in items. Rounding causes smaller differences.</summary>
    const double LeastItems = 0.25;

    /// <summary>Minimum number of items completed by the added worker threads; with fewer, the effect is unknown.</summary>
    const double EnoughOfAdded = 3;

    /// <summary>Shortest hold time to try, relative to the hold time by Little's law, which includes the time of open items.</summary>
    const double Shortest = 0.3;

    const double Longest = 1.5;

    /// <summary>Factor between successive hold times to try.</summary>
    const double Finer = 1.004;

    /// <summary>
    /// Maximum number of worker threads for the in-step model. For more threads, the model takes too long to compute and no longer applies.
    /// </summary>
    const int MostInStep = 256;

    const int MostSamples = 60;

    readonly CounterSample[] samples;
    readonly double[] counted;
    readonly double[] busyMs;

    ThreadScaling(CounterSample[] samples)
    {
        this.samples = samples;
        (counted, busyMs) = (new double[samples.Length], new double[samples.Length]);
        for (var i = 1; i < samples.Length; i++)
        {
            counted[i] = counted[i - 1] + samples[i].Completed!.Value;
            busyMs[i] = busyMs[i - 1]
                + (samples[i - 1].Workers!.Value + samples[i].Workers!.Value) / 2.0 * samples[i].At.MsSince(samples[i - 1].At);
        }
    }

    public static ScalingEffect Of(PoolEvidence report)
    {
        var all = report.Timeline.CounterSamples;
        var samples = LongestWait([.. all]);
        return samples.Length < 3 ? ScalingEffect.Unknown
            : new ThreadScaling(samples).Judge(FirstWorkers(report, samples, all.LastOrDefault(b => b.At < samples[0].At)));
    }

    // The longest series of counter samples at which items waited; a sample that does not count completions starts a new series.
    static CounterSample[] LongestWait(CounterSample[] all)
    {
        var (best, first) = ((From: 0, Count: 0), 0);
        for (var i = 0; i < all.Length; i++)
        {
            var waits = all[i] is { QueueLength: > 0, Workers: > 0 };
            first = !waits ? i + 1 : all[i].Completed is null ? i : first;
            best = i + 1 - first > best.Count ? (first, i + 1 - first) : best;
        }

        return all[best.From..(best.From + best.Count)];
    }

    // Start times of the worker threads if all of them started with this wait, so that their sleeps are in step; otherwise empty.
    static EventTime[] FirstWorkers(PoolEvidence report, CounterSample[] samples, CounterSample? before)
    {
        if (before is not { QueueLength: 0 } idle)
        {
            return [];
        }

        EventTime[] begun = [.. report.Timeline.WorkerMoments
            .Where(m => m.Deed == WorkerAction.Started && m.At > idle.At && m.At <= samples[^1].At).Select(m => m.At)];
        return begun.Length <= MostInStep && begun.Count(at => at <= samples[0].At) >= samples[0].Workers ? begun : [];
    }

    ScalingEffect Judge(EventTime[] begun)
    {
        if (counted[^1] < 1 || counted[^1] * AddedShare() < EnoughOfAdded)
        {
            return ScalingEffect.Unknown;
        }

        var flat = Off([.. samples.Select(b => b.At.MsSince(samples[0].At))]);
        double[] accounts = [Off(busyMs), Off(Late(holdMs: busyMs[^1] / counted[^1])),
            begun.Length == 0 ? double.PositiveInfinity : OffInStep(begun)];
        var grows = accounts.Min();
        return IsBetter(grows, flat) ? ScalingEffect.Grows : IsBetter(flat, grows) ? ScalingEffect.Flat : ScalingEffect.Unknown;
    }

    /// <summary>
    /// For each counter sample, the total thread time up to one hold time before the sample, milliseconds: an added worker thread completes
    /// its first item after one hold time. Before the first sample, the number of worker threads is assumed constant.
    /// </summary>
    double[] Late(double holdMs)
    {
        var (late, next) = (new double[samples.Length], 1);
        for (var i = 0; i < samples.Length; i++)
        {
            var sinceMs = SinceFirst(i);
            // Each of these times is later than the previous one, so one pass over the samples finds all of them.
            for (; SinceFirst(next) < sinceMs - holdMs; next++)
            {
            }

            late[i] = samples[0].Workers!.Value * Math.Min(sinceMs, holdMs) + BusyUntil(Math.Max(0, sinceMs - holdMs), next);
        }

        return late;
    }

    /// <summary>Total thread time until a time in the interval that ends with sample <paramref name="next"/>, milliseconds.</summary>
    double BusyUntil(double sinceFirstMs, int next)
    {
        var (from, to) = (SinceFirst(next - 1), SinceFirst(next));
        return busyMs[next - 1] + (to > from ? (sinceFirstMs - from) / (to - from) * (busyMs[next] - busyMs[next - 1]) : 0);
    }

    double SinceFirst(int sample) => samples[sample].At.MsSince(samples[0].At);

    static bool IsBetter(double one, double other) => one <= ClearlyBetter * other && other - one >= LeastItems;

    /// <summary>The share of the total thread time that belongs to worker threads added after the first counter sample.</summary>
    double AddedShare() =>
        busyMs[^1] <= 0 ? 0 : Math.Max(0, 1 - samples[0].Workers!.Value * samples[^1].At.MsSince(samples[0].At) / busyMs[^1]);

    /// <summary>Mean error, in items, of a model proportional to <paramref name="measure"/>, with the best scale.</summary>
    double Off(double[] measure) => measure[^1] <= 0 ? double.PositiveInfinity
        : Enumerable.Range(60, 100).Min(percent => Off(i => counted[^1] / measure[^1] * percent / 100 * measure[i], samples.Length));

    double OffInStep(EventTime[] begun)
    {
        var count = Math.Min(samples.Length, MostSamples);
        var little = busyMs[^1] / counted[^1];
        var best = double.PositiveInfinity;
        for (var hold = little * Shortest; hold < little * Longest; hold *= Finer)
        {
            var ms = hold;
            best = Math.Min(best, Off(i => begun.Sum(at => Math.Max(0, Math.Floor(samples[i].At.MsSince(at) / ms))), count));
        }

        return best;
    }

    // Mean error of a model, in items. Completions before the first counter sample are unknown, so a constant offset is no error.
    double Off(Func<int, double> account, int count)
    {
        double[] off = [.. Enumerable.Range(0, count).Select(i => counted[i] - account(i))];
        var middle = off.Order().ElementAt(count / 2);
        return off.Average(items => Math.Abs(items - middle));
    }
}

/// <summary>
/// A resource that serves only a limited number of threads at a time, however many worker threads wait. Stacks name the resource, or
/// completions that do not grow with the number of threads show that there is one.
/// </summary>
/// <param name="Words">The name of the resource, as part of a sentence.</param>
sealed record Bottleneck(string Words)
{
    /// <summary>The only route whose requests wait for the resource; null when several do, or when the route is uncertain.</summary>
    public string? Route { get; init; }

    /// <summary>Why more worker threads do not help, as the end of a sentence, with the evidence as a further sentence.</summary>
    public string OnlyWait => $"more threads would only wait for {Words}.{Shown}";

    // A sentence with the evidence if completions and not stacks show the bottleneck; otherwise empty.
    string Shown { get; init; } = "";

    /// <summary>The bottleneck; null when there is no evidence for one.</summary>
    public static Bottleneck? Of(PoolEvidence report)
    {
        // Only the place that holds most worker threads decides.
        var main = report.MainBlocker();
        var known = main is null ? null : KnownResource.Of(main);
        return known?.Threads == MoreThreadsEffect.DoNotHelp ? Named(main!, known)
            : IsOpen(report, main, known) && ThreadScaling.Of(report) == ScalingEffect.Flat
                ? (known is null ? new Bottleneck("the same resource, such as a lock") : Named(main!, known)) with
                {
                    Shown = " So far, more threads have not helped.",
                }
            : null;
    }

    // Whether completions decide. Stacks do not decide if there are none, or if they show a task wait or that more threads may help.
    static bool IsOpen(PoolEvidence report, Blocker? main, KnownResource? known) =>
        main is null ? !report.HasStacks : known?.Threads == MoreThreadsEffect.MayHelp || main.Resource == Resource.Task;

    static Bottleneck Named(Blocker main, KnownResource known) => new($"{known.Name} ({main.Chain})")
    {
        Route = main.Routes is [{ Sure: true } one] ? one.Route : null,
    };
}
