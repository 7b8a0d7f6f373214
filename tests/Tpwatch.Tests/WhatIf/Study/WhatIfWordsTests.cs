using Tpwatch.Tests.Docs.Words;
using Tpwatch.Tests.Replay;
using Tpwatch.WhatIf;
using Tpwatch.Wording;

namespace Tpwatch.Tests.WhatIf.Study;

/// <summary>What a change would have done is said in short sentences, and only what was measured is called measured.</summary>
public sealed class WhatIfWordsTests
{
    [Fact]
    public async Task Effects_are_told_in_plain_words_and_short_sentences()
    {
        SortedSet<string> sentences = new(StringComparer.Ordinal);
        foreach (var (_, answer) in (await StandardChangesTests.Stored.Value).Where(one => one.Answer.Unknown is null))
        {
            sentences.UnionWith(ReportSentences.Split(WhatIfWords.Effect(answer)).Concat(ReportSentences.Split(answer.Uncertainty)));
        }

        Assert.True(sentences.Count > 40, $"only {sentences.Count} sentences");
        var breaches = sentences.SelectMany(PlainWords.Breaches).ToArray();
        Assert.True(breaches.Length == 0, string.Join('\n', breaches));
    }

    /// <summary>What no stored run says: nothing gets faster, no more threads are used, a bound is slower than what was measured.</summary>
    internal static async Task<string[]> ToldAsync()
    {
        var answer = await AnswerAsync(items => items);
        var (seen, simulated) = (answer.Seen, answer.Simulated);
        return
        [
            WhatIfWords.Effect(answer with
            {
                Simulated = simulated with { TotalMs = seen.TotalMs * 0.98, StartDelayMs = 0.04 },
                Bound = "Items wait for one lock, so no more items per second complete than now.",
            }),
            WhatIfWords.Others(answer with { Simulated = simulated with { PeakWorkers = seen.PeakWorkers } }),
            WhatIfWords.Times(answer with { Worst = simulated with { TotalMs = seen.TotalMs + 2_000 } }),
        ];
    }

    /// <summary>Items that still wait would count with less than they wait in the end, and look better than the answer.</summary>
    [Fact]
    public async Task A_mean_that_the_end_of_the_capture_cut_off_is_not_told()
    {
        var answer = await AnswerAsync(seen => seen);
        var cut = answer with { Seen = answer.Seen with { TotalMs = null, StartDelayMs = 5_900 } };

        Assert.DoesNotContain("5.9 s", WhatIfWords.Others(cut), StringComparison.Ordinal);
    }

    /// <summary>An item that never ends: what was seen cannot be rebuilt to its end, and its mean is that of a simulation.</summary>
    [Fact]
    public async Task What_a_simulation_gave_is_not_called_measured()
    {
        var answer = await AnswerAsync(seen => seen with
        {
            Items = seen.Items.SetItem(0, seen.Items[0] with { BlockMs = double.PositiveInfinity }),
        });

        Assert.NotNull(answer.Seen.TotalMs);
        Assert.Equal((null, null), (answer.Seen.StartDelayMs, answer.Seen.LatencyMs));
        Assert.Contains("The mean queue time could not be measured.", answer.Remarks);
        Assert.DoesNotMatch(@"Mean queue time[^.]*measured", WhatIfWords.Others(answer).Replace(".", "", StringComparison.Ordinal)
            .Split("Largest number")[0]);
    }

    static async Task<WhatIfAnswer> AnswerAsync(Func<ItemsSeen, ItemsSeen> changed)
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        return WhatIfStudy.Of(report, changed(new EstimatedItems().Look(report))).Answer(new() { Min = 30 });
    }
}
