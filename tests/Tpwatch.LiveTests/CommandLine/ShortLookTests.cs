using System.Text.Json;
using Tpwatch.LiveTests.Order;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.CommandLine;

/// <summary>
/// <c>ps --check</c> with real targets: one starves, one has nothing to do. It asks every process, those of other tests as well.
/// </summary>
[Collection(AloneCollection.Name)]
public sealed class ShortLookTests
{
    [Fact(Timeout = 180_000)]
    public async Task It_says_which_of_two_is_starved_and_leaves_both()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var starved = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, cancel, "pool-burst", "--processors", "4", "--items", "400");
        await using var healthy = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "steady", "--processors", "4");
        await starved.BeginAsync();

        var run = await ToolRun.Of("ps", "--check", "5s", "--format", "json");

        Assert.Equal(0, run.Code);
        var processes = JsonDocument.Parse(run.Out).RootElement.GetProperty("processes").EnumerateArray().ToList();
        Assert.Contains(Check(starved.Pid).GetProperty("verdict").GetString(), (string[])["starved", "silentlyStarved"]);
        Assert.True(Check(starved.Pid).GetProperty("isNow").GetBoolean());
        Assert.DoesNotContain(Check(healthy.Pid).GetProperty("verdict").GetString(), (string[])["starved", "silentlyStarved", "saturated"]);
        Assert.True(Place(starved.Pid) < Place(healthy.Pid), "the worst comes first");
        // Both were left: another session begins at once.
        Assert.Equal(
            0, (await ToolRun.Of(
                "report", "-p", healthy.Pid.ToString(System.Globalization.CultureInfo.InvariantCulture), "--duration", "2s")).Code);

        JsonElement Check(int pid) => processes[Place(pid)].GetProperty("check");
        int Place(int pid) => processes.FindIndex(p => p.GetProperty("pid").GetInt32() == pid);
    }
}
