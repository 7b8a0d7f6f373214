using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Pool;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Scoring.Extracts;
using Tpwatch.Scoring.Recorded;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Stored;

/// <summary>Hill climbing's wave in the stored runs, beside what the pool's own API said of min and max at the time.</summary>
public sealed class SamplesWithoutAdjustmentTests
{
    /// <summary>Fewer would prove nothing: each is a sample that could have made the wave flat.</summary>
    const int EnoughSamples = 500;

    [Fact]
    public async Task It_is_flat_only_where_min_and_max_are_one_number()
    {
        var runs = await Task.WhenAll(StoredRuns.Names.Select(name => Task.Run(() => ReadAsync(name))));

        Assert.Empty(runs.SelectMany(r => r.Wrong));
        Assert.True(runs.Sum(r => r.Samples) > EnoughSamples, $"{runs.Sum(r => r.Samples)} samples");
        Assert.Contains(runs, r => r.Flat > 0);
    }

    [Fact]
    public async Task A_pool_met_late_at_a_max_that_a_call_has_set_is_at_max_though_items_are_always_taken()
    {
        var report = (await StoredRuns.OfAsync("limits-by-call-to-min-12-to-max-12-hold-100-items-1800.late")).Report;

        Assert.Equal([Verdict.StarvedAtMax], report.Episodes.Select(e => e.Kind));
        Assert.DoesNotContain(report.Findings, f => f.Id == "TPW003");
        Assert.Equal(12, report.Findings.Single(f => f.Id == "TPW005").Evidence[0].Value);
    }

    static async Task<(int Samples, int Flat, IReadOnlyList<string> Wrong)> ReadAsync(string name)
    {
        var run = await StoredRuns.ReadAsync(name);
        var facts = await FactsAsync(name);
        List<string> wrong = [];
        var (samples, flat) = (0, 0);
        var wave = SamplesWithoutAdjustment.From(default);
        foreach (var fact in facts)
        {
            wave = fact switch
            {
                ThroughputSampled => wave.Sampled(),
                TargetThreadsChanged or LimitsChanged or EventsLost => SamplesWithoutAdjustment.From(fact.At),
                _ => wave,
            };
            samples += fact is ThroughputSampled ? 1 : 0;
            if (fact is ThroughputSampled && wave.IsFlat)
            {
                flat++;
                wrong.AddRange(Room(run.Run.Truth, fact.At) is { } room ? [$"{name}: {wave} where {room}"] : []);
            }
        }

        return (samples, flat, wrong);
    }

    static async Task<IReadOnlyList<IFact>> FactsAsync(string name)
    {
        FactLog log = new();
        await using var session = RecordedSession.Open(RecordedRun.FileOf(TestRecordings.Folder, name));
        new EventDecoder(session, ProbeSet.ForRecording()).Decode(new(session.Events), log);
        return log.Facts;
    }

    static string? Room(RunTruth truth, EventTime at) =>
        truth.Pool.LastOrDefault(p => p.At <= at.Nanoseconds) is { } pool && pool.Min != pool.Max
            ? $"min {pool.Min}, max {pool.Max}"
            : null;
}
