using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>
/// One incident that goes on for as long as a class of tests: workers are held for good, and about once a second the pool adds one more.
/// </summary>
public sealed class StarvingTarget : IAsyncLifetime
{
    FixtureTarget? target;

    public int Pid => target!.Pid;

    public async ValueTask InitializeAsync()
    {
        target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, CancellationToken.None, "pool-burst", "--processors",
            "8", "--items", "1000", "--hold", "600000", "--seconds", "600");
        await target.BeginAsync();
    }

    public async ValueTask DisposeAsync()
    {
        if (target is not null)
        {
            await target.DisposeAsync();
        }
    }
}
