using Tpwatch.Basics;

namespace Tpwatch.Forecast;

/// <summary>
/// Makes a run time sharper by moments at which an item certainly ended: hill climbing takes its samples when a worker completes one, the
/// first sample at the first completion of all. A heartbeat says how many ended in a second, this says when one did.
/// </summary>
static class CompletionFit
{
    /// <summary>More workers than that have an item end at any moment, so that a moment says nothing.</summary>
    const int MostWorkers = 256;

    /// <summary>A sleep wakes that much late without being another length, milliseconds.</summary>
    const double SameMs = 2;

    /// <summary>Run times tried between the smallest and the largest; a few milliseconds apart for items of seconds.</summary>
    const int Tries = 80;

    /// <summary>As <paramref name="run"/>, as far as the moments narrow it down.</summary>
    /// <param name="run">What the heartbeats say.</param>
    /// <param name="phases">When each worker began an item.</param>
    /// <param name="ended">The moments.</param>
    /// <param name="firstOfAll">Whether nothing ended before the first of them: then it was the item that began first.</param>
    public static RunTime Sharpened(RunTime run, IReadOnlyList<WorkerPhase> phases, IReadOnlyList<EventTime> ended, bool firstOfAll = false)
    {
        var workers = phases.Where(p => p.Known).Select(p => p.At).ToArray();
        if (firstOfAll && workers.Length > 0 && ended.Count > 0 && First(run, workers.Min(), ended[0]) is { } known)
        {
            return known;
        }

        if (!run.InStep || ended.Count == 0 || workers.Length is 0 or > MostWorkers || run.HighMs - run.LowMs < SameMs)
        {
            return run;
        }

        var (low, high) = (run.LowMs, run.HighMs);
        for (var round = 0; round < 2; round++)
        {
            var step = (high - low) / Tries;
            var tried = Enumerable.Range(0, Tries + 1).Select(i => low + step * i)
                .Select(ms => (Ms: ms, Off: Off(workers, ended, ms))).ToArray();
            var enough = tried.Min(t => t.Off) + SameMs + (round == 0 ? step : 0);
            var good = tried.Where(t => t.Off <= enough).ToArray();
            (low, high) = (good[0].Ms, good[^1].Ms);
        }

        return new((low + high) / 2, low, high, InStep: true);
    }

    /// <summary>The length of the very first item; null where that is not what the heartbeats say.</summary>
    static RunTime? First(RunTime run, EventTime begun, EventTime ended)
    {
        var ms = ended.MsSince(begun);
        return run.InStep && ms >= run.LowMs - SameMs && ms <= run.HighMs + SameMs ? new(ms, ms - SameMs, ms + SameMs, InStep: true) : null;
    }

    /// <summary>
    /// How far the moments lie from the next end of an item on average, milliseconds, if each runs for <paramref name="ms"/>.
    /// </summary>
    static double Off(EventTime[] workers, IReadOnlyList<EventTime> ended, double ms)
    {
        var sum = 0.0;
        foreach (var at in ended)
        {
            var nearest = double.MaxValue;
            foreach (var begun in workers)
            {
                var items = Math.Max(1, Math.Round(at.MsSince(begun) / ms));
                nearest = Math.Min(nearest, Math.Abs(at.MsSince(begun) - items * ms));
            }

            sum += nearest;
        }

        return sum / ended.Count;
    }
}
