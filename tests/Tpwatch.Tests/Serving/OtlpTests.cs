using System.Collections.Immutable;
using Tpwatch.Cli;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Serve;
using Tpwatch.Tests.Verbs;

namespace Tpwatch.Tests.Serving;

/// <summary>What the live tests, which have a collector, do not reach: addresses, and events when nobody takes them.</summary>
public sealed class OtlpTests : IDisposable
{
    readonly RecordedFleet machine = new();
    readonly StringWriter output = new();
    readonly StringWriter error = new();

    public void Dispose()
    {
        machine.Dispose();
        output.Dispose();
        error.Dispose();
    }

    [Theory]
    [InlineData("http://127.0.0.1:4318", true)]
    [InlineData("https://collector.example/otlp/", true)]
    [InlineData("127.0.0.1:4318", false)]
    [InlineData("grpc://127.0.0.1:4317", false)]
    [InlineData("http://me:secret@127.0.0.1:4318", false)]
    [InlineData("http://127.0.0.1:4318/?token=secret", false)]
    [InlineData("", false)]
    public void An_address_is_HTTP_and_holds_no_secret(string text, bool isOne) =>
        Assert.Equal(isOne, CollectorAddress.TryParse(text, out _));

    [Fact]
    public async Task An_episode_leaves_its_begin_each_finding_once_and_its_end()
    {
        FleetEventQueue events = new();
        await using FleetWatch fleet = new(machine, new(ListenAddress.Default, null) { Limit = 200 }, Context()) { Events = events };
        machine.Coming.Add(RecordedFleet.Row(7, "wedged"));
        await RoundsAsync(fleet, 4);
        machine.Watched[7].End(SessionEnd.TargetExited);
        await RoundsAsync(fleet, 2);

        var all = Taken(events);
        Assert.Equal(("tpwatch.episode.begin", "wedged"), (all[0].Name, all[0]["tpwatch.verdict"]));
        Assert.Equal("tpwatch.episode.end", all[^1].Name);
        Assert.StartsWith("wedged (pid 7): WEDGED over after ", all[^1].Text, StringComparison.Ordinal);
        var found = all.Where(e => e.Name == "tpwatch.finding").Select(e => e["tpwatch.finding.id"]).ToArray();
        Assert.Equal(found.Distinct(), found);
    }

    [Fact]
    public async Task What_nobody_takes_is_bounded_and_the_oldest_go()
    {
        FleetEventQueue events = new();
        await using FleetWatch fleet = new(machine, new(ListenAddress.Default, null) { Limit = 200 }, Context());
        machine.Coming.Add(RecordedFleet.Row(7, "wedged"));
        await RoundsAsync(fleet, 4);
        var state = Assert.Single(fleet.Latest.Targets);
        for (var round = 0; round < FleetEventQueue.Most + 5; round++)
        {
            EpisodeChange change = new(state, state.Open!, round == 0 ? null : Verdict.Starved, IsOver: false);
            events.Tell([change], [], _ => null, DateTime.UnixEpoch);
        }

        var left = Taken(events);
        Assert.Equal((FleetEventQueue.Most, 5), (left.Length, events.Dropped));
        Assert.All(left, e => Assert.Equal("tpwatch.episode.change", e.Name));
    }

    CommandContext Context() =>
        new(new FakeEngine(), output, error, TerminalFacts.None, new QuickTime(), TestContext.Current.CancellationToken);

    // Attaching goes on beside the rounds; here it is to be over between two of them.
    async Task RoundsAsync(FleetWatch fleet, int rounds)
    {
        for (var i = 0; i < rounds; i++)
        {
            await fleet.RoundAsync(TestContext.Current.CancellationToken);
            await Task.WhenAny(Task.WhenAll(machine.Attempts));
        }
    }

    static ImmutableArray<FleetEvent> Taken(FleetEventQueue events)
    {
        var all = ImmutableArray.CreateBuilder<FleetEvent>();
        while (events.Take() is { } next)
        {
            all.Add(next);
        }

        return all.ToImmutable();
    }
}
