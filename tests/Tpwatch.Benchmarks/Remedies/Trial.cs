using Tpwatch.Scoring.Runs;

namespace Tpwatch.Benchmarks.Remedies;

/// <summary>A sick program that ends by itself, and so many workers as it could have use for.</summary>
/// <param name="Kind">What holds its workers.</param>
/// <param name="Scenario">The scenario.</param>
/// <param name="Words">Its options.</param>
/// <param name="Use">A min that is tried where none is advised.</param>
sealed record Trial(string Kind, string Scenario, string Words, int Use)
{
    /// <summary>When somebody who comes late attaches, milliseconds after the program began.</summary>
    const int LateMs = 3_000;

    public static Trial[] All { get; } =
    [
        new("sleep", "pool-burst", "--items 40 --hold 3000 --seconds 60", 40),
        new("a slow server", "blocking-socket", "--items 60 --hold 1500 --seconds 40", 60),
        new("Task.WaitAll", "wait-all", "--items 60 --hold 1500 --seconds 40", 60),
        new("tasks", "sync-over-async", "--items 60 --hold 6000 --seconds 30", 60),
        new("tasks and sleep", "mixed-wait", "--items 60 --hold 3000 --seconds 40", 60),
        new("a lock", "lock-convoy", "--items 40 --hold 250 --seconds 30", 40),
        new("two permits", "semaphore", "--items 60 --hold 400 --permits 2 --seconds 30", 60),
        new("a steady load of sleeps", "capped-blocking", "--max 500 --items 1000 --seconds 30", 50),
        new("processors", "cpu-bound", "--items 24 --work 1000 --by processor --seconds 60", 24),
        new("max", "capped-blocking", "--max 10 --items 150 --seconds 30", 10),
    ];

    /// <summary>The run as it is, met from its beginning or late.</summary>
    public RunPlan Plan(bool late) => new(ScenarioRow.Of(Scenario), TargetRuntime.Net10)
    {
        Words = [Scenario, .. Words.Split(' ')],
        LateMs = late ? LateMs : null,
    };
}
