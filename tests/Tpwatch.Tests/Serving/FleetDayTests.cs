using System.Text;
using Tpwatch.Cli;
using Tpwatch.Run;
using Tpwatch.Serve;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Verbs;

namespace Tpwatch.Tests.Serving;

/// <summary>
/// A day in which ten thousand processes come and go: what is kept of them is bounded. Alone, for the memory that is measured is that of
/// all who run meanwhile.
/// </summary>
[Collection(AloneCollection.Name)]
public sealed class FleetDayTests : IDisposable
{
    const int Processes = 10_000;
    const int Samples = 8;

    /// <summary>Of a day, one step a process.</summary>
    const int SecondsOfStep = 24 * 3600 / Processes;

    /// <summary>One lives for five steps, two for the day.</summary>
    const int MostLiving = 8;

    /// <summary>Bytes. What some thousand processes leave behind, if they leave anything, is tens of megabytes.</summary>
    const long MostGrown = 8 << 20;

    readonly TempFolder folder = new();
    readonly CrowdedMachine machine = new();
    readonly DayTime time = new();
    readonly FleetEventQueue events = new();
    readonly PrometheusPage metrics = new("a day");

    public void Dispose()
    {
        folder.Dispose();
        machine.Dispose();
        metrics.Dispose();
    }

    [Fact]
    public async Task Of_ten_thousand_processes_that_come_and_go_in_a_day_nothing_grows()
    {
        ServeRequest asked = new(ListenAddress.Default, null) { Limit = 200, Incidents = folder["."] };
        CommandContext context =
            new(new FakeEngine(), TextWriter.Null, TextWriter.Null, TerminalFacts.None, time, TestContext.Current.CancellationToken);
        List<Kept> kept = [];
        var without = Bytes();
        await using (FleetWatch fleet = new(machine, asked, context, metrics) { Events = events })
        {
            for (var come = 1; come <= Processes; come++)
            {
                machine.Step(SecondsOfStep);
                time.Advance(SecondsOfStep);
                await fleet.RoundAsync(TestContext.Current.CancellationToken);
                if (come % (Processes / Samples) == 0)
                {
                    kept.Add(await OfAsync(fleet, without));
                }
            }

            Assert.InRange(fleet.Latest.Own.Ended, Processes * 3 / 4, Processes);
            Assert.InRange(fleet.Latest.Own.IncidentsKept, Processes / 50, Processes / 40);
        }

        TestContext.Current.TestOutputHelper?.WriteLine(string.Join('\n', kept));
        Assert.All(kept, k => Assert.InRange(k.Targets, 2, MostLiving));
        Assert.All(kept, k => Assert.InRange(k.Watches, 2, MostLiving + 1));
        // An idle process has 36, one that starves some ten more; the watcher has 11 of its own.
        Assert.All(kept, k => Assert.InRange(k.Series, 1, MostLiving * 50 + 11));
        Assert.All(kept, k => Assert.InRange(k.Files, 1, IncidentFolder.MostIncidents * 3));
        // What other tests left behind may go meanwhile, so that less is no fault.
        Assert.True(kept.Skip(Samples / 2).Max(k => k.Bytes) - kept.Take(Samples / 2).Max(k => k.Bytes) <= MostGrown);
        Assert.Equal(FleetEventQueue.Most, Waiting());
    }

    async Task<Kept> OfAsync(FleetWatch fleet, long without)
    {
        var text = await metrics.TextAsync(fleet.Latest, open: false, small: false, TestContext.Current.CancellationToken);
        var series = Encoding.UTF8.GetString(text).Split('\n').Count(line => line.Length > 0 && line[0] != '#');
        var bytes = Bytes() - without;
        return new(fleet.Latest.Targets.Length, machine.Held, series, Directory.GetFiles(folder["."]).Length, bytes);
    }

    static long Bytes()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return GC.GetTotalMemory(forceFullCollection: true);
    }

    int Waiting()
    {
        var count = 0;
        while (events.Take() is not null)
        {
            count++;
        }

        return count;
    }

    /// <summary>What is kept at a moment of the day.</summary>
    sealed record Kept(int Targets, int Watches, int Series, int Files, long Bytes);

    sealed class DayTime : TimeProvider
    {
        DateTimeOffset now = new(2026, 11, 21, 0, 0, 0, TimeSpan.Zero);

        public override DateTimeOffset GetUtcNow() => now;

        public void Advance(int seconds) => now = now.AddSeconds(seconds);
    }
}
