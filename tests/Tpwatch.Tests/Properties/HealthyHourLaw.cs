using FsCheck;
using FsCheck.Fluent;
using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Properties.Generators;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>What is said of an incident does not depend on how long all was well before it.</summary>
public sealed class HealthyHourLaw
{
    [Fact]
    public void A_healthy_hour_before_an_incident_changes_nothing_that_is_said_of_it() => ForAny(Incidents, incident =>
    {
        var life = PoolLife.Of(LongLead.PutOff(incident.World));
        var until = (int)(life.Facts.Length * incident.Share);
        var at = FactData.At(life.Facts[until - 1]);
        var longer = LongLead.WithAnHourMore(life.Facts);
        var (soon, late) = (Folded.Report(life.Target, life.Facts.Take(until)),
            Folded.Report(life.Target, longer.Take(longer.Length - life.Facts.Length + until)));
        Assert.Equal(Said(soon, 0), Said(late, LongLead.LongerMs));
    }, tests: FewSinceEachIsAnHour);

    /// <summary>Each of them folds some ten thousand facts twice.</summary>
    const int FewSinceEachIsAnHour = 10;

    /// <summary>Evidence that rightly counts the whole capture.</summary>
    static readonly (string Rule, string Text)[] OfTheWholeCapture = [("TPW012", Tpw012HillClimbing.CompletedOverAll)];

    /// <summary>All that is said, with moments as they would be had the trouble begun earlier.</summary>
    static string Said(PoolReport report, double laterMs)
    {
        // Taken back in whole nanoseconds: as a difference of fractions the same moment might be rounded otherwise.
        string Ms(EventTime at) => FormattableString.Invariant($"{Watcher.Ms(at.PlusMs(-laterMs)):0.###}");
        string Span(EventTime? from, EventTime to) => $"{(from is { } known ? Ms(known) : "?")} to {Ms(to)}";
        return string.Join('\n',
        [
            $"{report.Verdict}, now {report.IsNow}: "
                + $"{(report.Verdict == Verdict.Healthy ? "it says for how long all was well" : report.Headline)}",
            .. report.Episodes.Select(e => $"{e.Kind} {Span(e.Span.From, e.Span.To)} over {e.Over} proven {e.ProvenWaitMs:0.###}"),
            .. report.InjectionDelays.Where(g => Watcher.Ms(g.End.PlusMs(-laterMs)) > LongLead.ToMs).Select(g =>
                $"{g.Number} {g.Reason} {Span(g.Start, g.End)} {g.TargetThreadsBefore} to {g.TargetThreadsAfter} {g.Verdict} "
                + $"{g.Mechanism} {g.Also} {g.Because}"),
            .. report.Findings.Select(f => $"{f.Id} {f.Severity} {f.Confidence} {Span(f.From, f.To)}: "
                + $"{f.Headline}{Lines(f.Evidence.Where(e => !OfTheWholeCapture.Contains((f.Id, e.Text))))}{Lines(f.Remedies)}"),
            .. report.Undecided.Select(u => $"{u}"),
        ]);
    }

    static string Lines<T>(IEnumerable<T> lines) => string.Concat(lines.Select(line => $"\n    {line}"));

    static Arbitrary<(PoolWorld World, double Share)> Incidents { get; } = Arb.From(
        from world in PoolWorlds.Flat.Generator
        from share in Gen.Choose(500, 1000)
        select (world, share / 1000.0),
        incident => PoolWorlds.Flat.Shrinker(incident.Item1).Select(world => (world, incident.Item2)));
}
