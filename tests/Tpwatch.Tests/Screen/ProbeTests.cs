using Tpwatch.Reports;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

/// <summary>The probes of the screen: stacks and items.</summary>
public sealed class ProbeTests
{
    [Fact]
    public void A_probe_tells_its_price_before_it_starts()
    {
        var probes = new FakeProbes();
        ScreenScript.Of(Some.Healthy(), 100, 30).With(new() { Probes = () => probes }).Press("t")
            .Expect("Press t again to take stacks; esc cancels.")
            .Check(_ => Assert.Empty(probes.Turned))
            .Press("3").Expect("Press t again to take stacks")
            .Press("4").Expect("Cancelled.").Press("3", "t").Expect("take stacks").Check(_ => Assert.Empty(probes.Turned))
            .Press("esc").Expect("Cancelled.").Check(_ => Assert.Empty(probes.Turned))
            .Press("t").Expect("costs 1% of a processor").Check(_ => Assert.Empty(probes.Turned))
            .Press("t").Expect("Stacks on").Check(_ => Assert.Equal([(OptionalProbe.Stacks, true)], probes.Turned))
            .Press("t").Expect("Stacks off").Press("4", "t").Expect("costs")
            .Press("up", "t").Expect("costs").Press("t").Expect("Items on").Run();
    }

    [Fact]
    public void While_something_starves_the_probe_is_offered_with_its_price_and_starts_at_once()
    {
        const string StackOffer = "t: take stacks every 5 s (each a pause of about 30 ms)";
        var probes = new FakeProbes();
        ScreenScript.Of(Some.StarvingBurst(12), 100, 30).With(new() { Probes = () => probes }).Expect(StackOffer)
            .Press("4").ExpectNot(StackOffer).Press("1").Expect(StackOffer)
            .Press("t").Expect("Stacks on").Check(_ => Assert.Equal([(OptionalProbe.Stacks, true)], probes.Turned))
            .Press("2").Ticks(1).ExpectNot(StackOffer).Run();
        ScreenScript.Of(Some.StarvingBurst(), 100, 30).With(new() { Probes = () => new FakeProbes() }).ExpectNot(StackOffer).Run();
        ScreenScript.Of(Some.StarvingBurst(12), 100, 30).ExpectNot(StackOffer).Run();
    }

    [Fact]
    public void In_any_trouble_also_one_that_has_ended_the_first_press_takes_stacks()
    {
        var probes = new FakeProbes();
        ScreenScript.Of(Some.StarvingBurst(), 100, 30).With(new() { Probes = () => probes })
            .Press("t").Expect("Stacks on").Check(_ => Assert.Equal([(OptionalProbe.Stacks, true)], probes.Turned)).Run();
    }

    [Fact]
    public void While_stacks_are_taken_another_press_does_not_stop_that()
    {
        var probes = new FakeProbes { Says = "Taking stacks.", IsUnderWay = true };
        ScreenScript.Of(Some.StarvingBurst(12), 100, 30).With(new() { Probes = () => probes })
            .Press("t", "t").Expect("Taking stacks.").Check(_ => Assert.Equal([(OptionalProbe.Stacks, true)], probes.Turned))
            .Check(_ => probes.IsUnderWay = false).Press("t").Expect("Stacks off").Run();
    }

    [Fact]
    public void Where_the_processors_are_busy_the_probe_names_what_computes_and_starts_at_once()
    {
        var probes = new FakeProbes();
        var report = Some.StarvingBurst(12) with { Verdict = Verdict.Saturated };
        ScreenScript.Of(report, 100, 30).With(new() { Probes = () => probes }).Ticks(1).Expect("t shows what computes")
            .Press("t").Check(_ => Assert.Equal([(OptionalProbe.Stacks, true)], probes.Turned)).Run();
    }

    [Fact]
    public void What_becomes_of_an_attempt_is_said_on_every_view_and_stays_on_that_of_the_stacks()
    {
        const string Failed = "A burst of stacks was given up: no answer.";
        var probes = new FakeProbes();
        ScreenScript.Of(Some.StarvingBurst(12), 100, 30).With(new() { Probes = () => probes }).Press("t")
            .Check(_ => probes.Says = Failed).Press("2").Ticks(1).Expect(Failed)
            .Press("3").Press("down").Expect(Failed).ExpectNot("No stacks were taken").Run();
    }

    [Fact]
    public void What_was_said_goes_when_it_is_no_news_any_more_and_what_the_key_does_then_is_said()
    {
        const string Taken = "Stacks were taken: 3 shows the calls.";
        var (probes, time) = (new FakeProbes(), new Clock());
        ScreenScript.Of(Some.StarvingBurst(12), 100, 30).With(new() { Probes = () => probes, Time = time }).Press("t")
            .Check(_ => probes.Says = Taken).Ticks(1).Expect(Taken)
            .Check(_ => time.Seconds = 10).Ticks(1).Expect(Taken)
            .Check(_ => time.Seconds = 20).Ticks(1).ExpectNot(Taken)
            .Press("3").Ticks(1).Expect("t stop taking stacks").Press("t").Ticks(1).Press("up").Ticks(1).ExpectNot("stop taking").Run();
    }

    sealed class Clock : TimeProvider
    {
        public long Seconds { get; set; } = 1;

        public override long TimestampFrequency => 1;

        public override long GetTimestamp() => Seconds;
    }

    [Fact]
    public void Without_probes_it_is_said() =>
        ScreenScript.Of(Some.Found(), 100, 30).Press("3", "t").Expect("This session cannot measure that").Run();
}
