using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Diagnostics;
using Tpwatch.LiveTests.Packaging;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.Lab.Runs;

/// <summary>What became of a planned run: a value, or why there is none.</summary>
sealed record Outcome<T>(RunPlan Plan, T? Value, string? Failure)
    where T : class;

/// <summary>
/// Makes runs and says after each how far it is: those that burn processors alone and first, those that sleep several at a time, the
/// longest first. A run that fails is an outcome, too; nothing takes longer than the limit in all, and no file of a run is left.
/// </summary>
sealed class RunQueue
{
    /// <summary>What is told to end within its limit and does not in this time hangs; the others go on without it.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    readonly long begun = Stopwatch.GetTimestamp();
    int done;

    public static async Task<ImmutableArray<Outcome<T>>> MakeAsync<T>(ImmutableArray<RunPlan> plans, int parallel, TimeSpan limit,
        Func<RunPlan, FixtureCopy, CancellationToken, Task<T>> make, Func<T, string> say)
        where T : class
    {
        using var fixtures = new FixtureCopy();
        using var over = new CancellationTokenSource(limit);
        var queue = new RunQueue();
        var outcomes = new Outcome<T>[plans.Length];
        async Task OneAsync(int place) => outcomes[place] = queue.Say(
            plans.Length, await TryAsync(plans[place], (plan, cancel) => make(plan, fixtures, cancel), over.Token), say);

        foreach (var place in Places(plans, burners: true))
            await OneAsync(place);
        var options = new ParallelOptions { MaxDegreeOfParallelism = parallel };
        await Parallel.ForEachAsync(
            Places(plans, burners: false).OrderByDescending(place => plans[place].Seconds),
            options, async (place, _) => await OneAsync(place));
        return [.. outcomes];
    }

    /// <summary>The runs of which nothing came, with the reason.</summary>
    public static string[] Failures<T>(ImmutableArray<Outcome<T>> outcomes)
        where T : class =>
        [.. outcomes.Where(outcome => outcome.Value is null).Select(outcome => $"{outcome.Plan.Name}: {outcome.Failure}")];

    /// <summary>A run that failed misses a goal, too.</summary>
    public static int Conclude<T>(ImmutableArray<Outcome<T>> outcomes, Goals goals)
        where T : class =>
        Failures(outcomes).Aggregate(goals, (all, failure) => all.Add($"not made: {failure}", met: false)).Conclude();

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

    Outcome<T> Say<T>(int all, Outcome<T> outcome, Func<T, string> say)
        where T : class
    {
        var number = Interlocked.Increment(ref done);
        var elapsed = Stopwatch.GetElapsedTime(begun);
        Console.WriteLine($"[{number}/{all} {elapsed:m\\:ss}] {outcome.Plan.Name}: "
            + $"{(outcome.Value is { } value ? say(value) : "FAILED, " + outcome.Failure)}");
        return outcome;
    }
}

/// <summary>
/// The fixtures as they are started: on this machine's runtime as a copy in a folder that says nothing about the machine, since a recording
/// and a truth hold paths, on others as they were published. Made once, for as long as runs are made.
/// </summary>
sealed class FixtureCopy : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("fixtures-").FullName;

    public FixtureCopy()
    {
        Scratch = Directory.CreateDirectory(Path.Combine(folder, "runs")).FullName;
        foreach (var file in Directory.GetFiles(AppContext.BaseDirectory, "Tpwatch.Fixtures*"))
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
    }

    /// <summary>Where runs put their files; it goes with the copy.</summary>
    public string Scratch { get; }

    /// <summary>The command without a scenario.</summary>
    public ProcessStartInfo Command(RunPlan plan) =>
        plan.Runtime == TargetRuntime.Net10 ? OnThisRuntime(plan.Row.IsWeb) : FixtureBuild.Command(plan.Runtime);

    public ProcessStartInfo OnThisRuntime(bool web = false) =>
        new("dotnet", ["exec", Path.Combine(folder, web ? "Tpwatch.Fixtures.Web.dll" : "Tpwatch.Fixtures.dll")]);

    public void Dispose() => Directory.Delete(folder, recursive: true);
}

/// <summary>Trials beside each other: each says its row when it is known, and one that fails does not take the others with it.</summary>
/// <param name="Done">What came of them, in the order in which they were asked for.</param>
/// <param name="Failures">The others by their names, each with the reason.</param>
sealed record Trials<TResult>(TResult[] Done, string[] Failures)
{
    public static async Task<Trials<TResult>> RunAsync<T>(IReadOnlyList<T> all, int parallel, Func<T, string> name,
        Func<T, CancellationToken, Task<TResult>> tryAsync, Func<TResult, string> row)
    {
        ConcurrentDictionary<int, TResult> done = [];
        ConcurrentDictionary<int, string> failures = [];
        var options = new ParallelOptions { MaxDegreeOfParallelism = parallel };
        await Parallel.ForEachAsync(all.Index(), options, async (one, cancel) =>
        {
            try
            {
                Console.WriteLine(row(done[one.Index] = await tryAsync(one.Item, cancel)));
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                Console.WriteLine(failures[one.Index] = $"{name(one.Item)}: {e.Message}");
            }
        });
        return new([.. InOrder(done)], [.. InOrder(failures)]);
    }

    static IEnumerable<T> InOrder<T>(ConcurrentDictionary<int, T> of) => of.OrderBy(one => one.Key).Select(one => one.Value);

    /// <summary>A trial that failed misses a goal, too.</summary>
    public int Conclude(Goals goals) =>
        Failures.Aggregate(goals, (all, failure) => all.Add($"not tried: {failure}", met: false)).Conclude();
}

/// <summary>A program published with a runtime of its own, optimised.</summary>
static class PublishedProgram
{
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);

    /// <summary>
    /// Its path. Publishes into folders of its own, so that the build under test is left alone; takes a second when nothing changed.
    /// </summary>
    public static async Task<string> OfAsync(string project, TargetRuntime runtime)
    {
        var framework = FixtureBuild.Moniker(runtime);
        var folder = Path.Combine(SourceBuild.Root, "artifacts", "targets", framework);
        var run = Path.Combine(folder, Path.GetFileName(project) + "-run");
        var (exit, output) = await SdkRun.OfAsync(new("dotnet",
        [
            "publish", Path.Combine(SourceBuild.Root, project), "-c", "Release", "-r", "linux-x64", "--self-contained", "-v", "quiet",
            $"-p:FixtureRuntime={framework}", "--artifacts-path", folder, "-o", run,
        ]), Limit, CancellationToken.None);
        return exit != 0
            ? throw new InvalidOperationException($"publishing {project} for {framework} failed:\n{output}")
            : Path.Combine(
                run, Directory.GetFiles(run, "*.runtimeconfig.json")
                    .Select(f => Path.GetFileName(f).Replace(".runtimeconfig.json", "", StringComparison.Ordinal)).Single());
    }
}
