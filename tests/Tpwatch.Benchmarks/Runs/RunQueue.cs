using System.Collections.Immutable;
using System.Diagnostics;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>What became of a planned run: a value, or why there is none.</summary>
sealed record Outcome<T>(RunPlan Plan, T? Value, string? Failure)
    where T : class;

/// <summary>
/// Makes runs and says after each how far it is: those that burn processors alone and first, those that sleep several at a time, the
/// longest first. A run that fails is an outcome, too; nothing takes longer than the limit in all.
/// </summary>
sealed class RunQueue(int parallel, TimeSpan limit)
{
    /// <summary>What is told to end within its limit and does not in this time hangs; the others go on without it.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    readonly long begun = Stopwatch.GetTimestamp();
    int done;
    int all;

    public async Task<ImmutableArray<Outcome<T>>> MakeAsync<T>(
        ImmutableArray<RunPlan> plans, Func<RunPlan, CancellationToken, Task<T>> make, Func<T, string> say)
        where T : class
    {
        all = plans.Length;
        using var over = new CancellationTokenSource(limit);
        var outcomes = new Outcome<T>[plans.Length];
        async Task OneAsync(int place) => outcomes[place] = Say(await TryAsync(plans[place], make, over.Token), say);

        foreach (var place in Places(plans, burners: true))
            await OneAsync(place);
        var options = new ParallelOptions { MaxDegreeOfParallelism = parallel };
        await Parallel.ForEachAsync(
            Places(plans, burners: false).OrderByDescending(place => plans[place].Seconds),
            options, async (place, _) => await OneAsync(place));
        return [.. outcomes];
    }

    static IEnumerable<int> Places(ImmutableArray<RunPlan> plans, bool burners) =>
        Enumerable.Range(0, plans.Length).Where(place => plans[place].Row.BurnsProcessors == burners);

    static async Task<Outcome<T>> TryAsync<T>(RunPlan plan, Func<RunPlan, CancellationToken, Task<T>> make, CancellationToken over)
        where T : class
    {
        using var own = CancellationTokenSource.CreateLinkedTokenSource(over);
        own.CancelAfter(plan.Limit);
#pragma warning disable CA1031 // one run that fails must not take the others with it
        try
        {
            over.ThrowIfCancellationRequested();
            return new(plan, await make(plan, own.Token).WaitAsync(plan.Limit + Patience, CancellationToken.None), null);
        }
        catch (TimeoutException)
        {
            return new(plan, null, $"hung: told to end after {plan.Limit.TotalSeconds:0} s, it did not");
        }
        catch (OperationCanceledException)
        {
            return new(plan, null,
                over.IsCancellationRequested ? "left out, the time for all was over" : $"not ended after {plan.Limit.TotalSeconds:0} s");
        }
        catch (Exception e)
        {
            return new(plan, null, e.Message.Split('\n')[0]);
        }
#pragma warning restore CA1031
    }

    Outcome<T> Say<T>(Outcome<T> outcome, Func<T, string> say)
        where T : class
    {
        var number = Interlocked.Increment(ref done);
        var elapsed = Stopwatch.GetElapsedTime(begun);
        Console.WriteLine($"[{number}/{all} {elapsed:m\\:ss}] {outcome.Plan.Name}: "
            + $"{(outcome.Value is { } value ? say(value) : "FAILED, " + outcome.Failure)}");
        return outcome;
    }
}
