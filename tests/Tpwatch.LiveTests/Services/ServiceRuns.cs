using System.Collections.Immutable;
using Tpwatch.Fixtures.Services.Database;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Services;

/// <summary>
/// Services that are attached to in the middle of their incident, as somebody on call meets them, and looked at as <c>report</c> does
/// without any option; then they run to their end, for the truth.
/// </summary>
public sealed class ServiceRuns : IAsyncLifetime
{
    /// <summary>
    /// A service, its load and its database take a quarter of a processor once they have started; to start they take more.
    /// </summary>
    const int AtOnce = 2;

    /// <summary>More than the connection pool has connections, so that it is the limit from the start.</summary>
    const int Processors = 8;

    /// <summary>The database is made in two of these seconds.</summary>
    static readonly TimeSpan Unseen = TimeSpan.FromSeconds(6);

    /// <summary>So long a service is looked at that shows nothing; what blocks in others is told sooner, as a rule.</summary>
    static readonly TimeSpan Look = TimeSpan.FromSeconds(8);

    /// <summary>
    /// On a machine that has no time a service and its database may take half a minute to start, and stacks take theirs.
    /// </summary>
    static readonly TimeSpan Longest = TimeSpan.FromSeconds(90);

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// So many looks in a row: a service that has just started answers slowly, and then quickly, before its incident begins.
    /// </summary>
    const int Looks = 12;

    /// <summary>Those whose stacks .NET 10 draws otherwise than the runtimes before it.</summary>
    static readonly ImmutableArray<(TargetRuntime, string)> OnOlderRuntimes =
        [(TargetRuntime.Net9, "connection-pool"), (TargetRuntime.Net8, "singleton-lock")];

    readonly SharedRuns<(TargetRuntime, string), ObservedRun> runs = new(AtOnce);

    internal static IEnumerable<(TargetRuntime Runtime, string Scenario)> All =>
        from runtime in new[] { TargetRuntime.Net10, TargetRuntime.Net9, TargetRuntime.Net8 }
        from one in ServiceCase.All
        where runtime == TargetRuntime.Net10 || OnOlderRuntimes.Contains((runtime, one.Scenario))
        select (runtime, one.Scenario);

    internal static bool HasDatabase => PostgresPrograms.Find() is not null;

    internal Task<ObservedRun> OfAsync(TargetRuntime runtime, string scenario) => runs.OfAsync((runtime, scenario));

    public ValueTask InitializeAsync()
    {
        foreach (var (runtime, scenario) in All.Where(one => HasDatabase || !NeedsDatabase(one.Scenario)))
        {
            runs.Begin((runtime, scenario), _ => Task.FromResult(ServiceBuild.Command(runtime)), async (command, cancel) =>
            {
                command.Environment["DOTNET_PROCESSOR_COUNT"] = $"{Processors}";
                await using var target = await FixtureTarget.StartAsync(
                    command, cancel, scenario, "--seconds", $"{(Unseen + LiveRun.StartUpAtMost + Longest).TotalSeconds}");
                await using var watch = await LiveRun.AttachStartedAsync(
                    target, new WatchOptions { Depth = CaptureDepth.Auto, RequestsAnyway = true }, cancel, Unseen);
                await Task.Delay(Look, cancel);
                await UntilToldAsync(watch, ServiceCase.All.Single(one => one.Scenario == scenario), cancel);
                await watch.StopAsync(cancel);
                // It ends in order, its record whole, before its time is over.
                await Signal.SendAsync("TERM", target.Pid, cancel);
                return new(watch.Report(), await target.TruthAsync(cancel));
            });
        }

        return ValueTask.CompletedTask;
    }

    static async Task UntilToldAsync(ThreadPoolWatch watch, ServiceCase expected, CancellationToken cancel)
    {
        var (told, wanted) = (0, expected is { Method: null, Route: not null } ? Looks : 1);
        while (told < wanted && !watch.Completion.IsCompleted)
        {
            told = IsTold(watch.Report(), expected) ? told + 1 : 0;
            await Task.Delay(LookAgain, cancel);
        }
    }

    static bool IsTold(PoolReport report, ServiceCase expected) => expected switch
    {
        { Method: null, Route: null } => true,
        { Method: null, Route: { } slow } => report.Headline.Contains(slow, StringComparison.Ordinal),
        _ => report.Blockers is [var first, ..] && (expected.Route is null || !first.Routes.IsEmpty),
    };

    public ValueTask DisposeAsync() => runs.DisposeAsync();

    internal static bool NeedsDatabase(string scenario) => ServiceCase.OnDatabase.Contains(scenario);
}
