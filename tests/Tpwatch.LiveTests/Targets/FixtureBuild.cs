using System.Collections.Immutable;
using System.Diagnostics;

namespace Tpwatch.LiveTests.Targets;

/// <summary>The command that starts the fixtures on a runtime; those without a runtime on the machine are published with their own.</summary>
static class FixtureBuild
{
    /// <summary>Once for a runtime however many ask at the same time: two that publish into one folder get in each other's way.</summary>
    static readonly ImmutableDictionary<TargetRuntime, Lazy<Task<string>>> Published =
        Enum.GetValues<TargetRuntime>().ToImmutableDictionary(runtime => runtime, runtime => new Lazy<Task<string>>(() => PublishedAsync(runtime)));

    static readonly SemaphoreSlim OneAtATime = new(1);

    /// <summary>The command without a scenario. The first that asks for an older runtime waits for a publication; whoever knows that he will need it asks early.</summary>
    public static async Task<ProcessStartInfo> CommandAsync(TargetRuntime runtime, CancellationToken cancel) => runtime == TargetRuntime.Net10
        ? new("dotnet", ["exec", Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.dll")])
        : await WithItsRuntimeAsync(runtime, cancel);

    /// <summary>The same with a runtime of its own beside it, the machine's version as well.</summary>
    public static async Task<ProcessStartInfo> WithItsRuntimeAsync(TargetRuntime runtime, CancellationToken cancel) => new(await Published[runtime].Value.WaitAsync(cancel));

    static async Task<string> PublishedAsync(TargetRuntime runtime)
    {
        await OneAtATime.WaitAsync();
        try
        {
            return await PublishedProgram.OfAsync("fixtures", runtime);
        }
        finally
        {
            OneAtATime.Release();
        }
    }
}
