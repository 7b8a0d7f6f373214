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

    public static async Task<ProcessStartInfo> CommandAsync(TargetRuntime runtime, CancellationToken cancel)
    {
        if (runtime == TargetRuntime.Net10)
        {
            var command = new ProcessStartInfo("dotnet");
            command.ArgumentList.Add("exec");
            command.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.dll"));
            return command;
        }

        return await ReleaseAsync(runtime, cancel);
    }

    /// <summary>The same as optimised code on any runtime, the machine's own as well.</summary>
    public static async Task<ProcessStartInfo> ReleaseAsync(TargetRuntime runtime, CancellationToken cancel) =>
        new(await Published[runtime].Value.WaitAsync(cancel));

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
