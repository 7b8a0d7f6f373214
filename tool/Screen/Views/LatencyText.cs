using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>How long items waited in the queue: what is proven without events of single items, and what those would add.</summary>
static class LatencyText
{
    const int Indent = 11;

    /// <summary>What stands above the proven waits.</summary>
    public static string Head(bool measured) => measured ? "What the counters prove:" : "Minimum waits so far; items are not measured.";

    /// <summary>What is said where no wait is proven.</summary>
    public static string Nothing(Scene scene) => Words.IsStarvingKnown(scene.Report)
        ? "No queue time of a second is proven."
        : "Whether items waited is not known: no counter sample came.";

    /// <summary>The text below the table, in lines.</summary>
    public static IEnumerable<TextLine> Lines(Scene scene, bool measured, int width) =>
        Texts(scene, measured).SelectMany(t => TextBlock.Labelled(t.Label, t.Text, Indent, width).Append(new("")));

    /// <summary>The distributions that were measured; none where single items are not watched.</summary>
    public static IEnumerable<DistributionRow> Distributions(Scene scene)
    {
        var (wait, run, times) = (scene.Report.QueueDelay, scene.Report.RunTime, scene.State.Show.Times);
        if (wait is not null && (times != ItemChoice.Run || run is null))
        {
            foreach (var (name, part) in new[]
            {
                ("healthy", scene.Report.Items?.HealthyDelay),
                ("starved", scene.Report.Items?.StarvedDelay),
            })
            {
                if (part is not null)
                {
                    yield return new(name, part);
                }
            }

            var isWhole = scene.Report.Items is { HealthyDelay: null, StarvedDelay: null } or null;
            yield return new(isWhole ? "queued" : "all", wait);
        }

        if (run is not null && (times != ItemChoice.Wait || wait is null))
        {
            yield return new("run", run);
        }
    }

    /// <summary>The times in which items waited, as rows.</summary>
    public static IEnumerable<TableColumn<StarvedEpisode>> Columns(Scene scene) =>
    [
        new("items waited from", 17, 9, e => Format.Clock(e.Span.From.MsSince(scene.Timeline.Start), tenths: true))
        {
            Right = true, Rank = e => e.Span.From.MsSince(scene.Timeline.Start),
        },
        new("until", 8, 8, e => e.Over
            ? Format.Clock(e.Span.To.MsSince(scene.Timeline.Start), tenths: true) : scene.Newest) { Right = true },
        new("for", 11, 7, e => Format.Duration((e.Over ? e.Span.To : scene.Timeline.Now).MsSince(e.Span.From))) { Right = true },
        new("kind", 16, 6, e => VerdictWords.Of(e.Kind)) { Role = _ => Role.Starvation },
        new("an item waited at least", 23, 10, e => Format.Duration(e.ProvenWaitMs)) { Right = true, Rank = e => e.ProvenWaitMs },
    ];

    static IEnumerable<(string Label, string Text)> Texts(Scene scene, bool measured)
    {
        yield return (scene.IsOver ? "At the end" : "Now",
            Phrases.NewItem(scene.Report) is { } told
                ? $"{Sentence.Of(told)} {scene.Report.Forecast?.StartDelayOfNewItem?.Basis}"
                : Estimate(scene.Report));
        if (measured)
        {
            yield break;
        }

        yield return ("t shows", "The queue time of every item: p50, p90, p99 and the longest, "
            + "separately for starved and for healthy time.");
        yield return ("Needs", "Two events per item, one when it is queued and one when it is dequeued. "
            + "Off by default because of this overhead.");
        yield return ("Costs", "Press t to see the cost, and t again to start. If items come too fast, tpwatch stops measuring.");
    }

    // Items are taken about in the order in which they were queued: who comes last waits for all before.
    static string Estimate(PoolReport report) => report.Timeline.Levels switch
    {
        { Backlog: 0 } => "No item waits.",
        { Backlog: { } waiting, CompletedPerSecond: > 0 and { } rate } =>
            $"{Format.Plural(waiting, "item")} {Wait(waiting)} and {Format.Rate(rate)} complete. "
            + $"At this rate, an item queued now waits for about {Format.Duration(waiting * 1000 / rate)}.",
        { Backlog: { } waiting } =>
            $"{Format.Plural(waiting, "item")} {Wait(waiting)} and none completes: "
            + "an item queued now waits until a thread is added or released.",
        _ => "The queue length is not known: no counter sample has come.",
    };

    static string Wait(long waiting) => waiting == 1 ? "waits" : "wait";
}
