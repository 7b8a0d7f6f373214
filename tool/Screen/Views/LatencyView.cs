using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Widgets;

namespace Tpwatch.Screen.Views;

/// <summary>How long items waited in the queue: what is proven without events of single items, and what those would add.</summary>
sealed class LatencyView : IView
{
    const int Indent = 11;

    /// <summary>Lines of text that must stay readable beneath the table.</summary>
    const int LeastText = 6;

    public ViewName Name => ViewName.Latency;
    public string Title => "Latency";
    public string Brief => "Lat";

    public string Count(Scene scene) => "";

    public void Draw(Pane pane, Scene scene)
    {
        var measured = Distributions(scene).ToList();
        if (measured.Count > 0)
        {
            var used = DistributionTable.Draw(pane, measured, scene.State.Show.FewPercentiles);
            pane = pane.Rows(used, pane.Height - used);
        }

        if (scene.Report.Items is { } items)
        {
            ItemPanel.Draw(pane, scene, items);
            return;
        }

        pane.Put(1, 0, TextFit.Whole(measured.Count > 0
            ? "What the counters prove:"
            : "Minimum waits so far; items are not measured.", pane.Width - 2), Role.Title);
        var episodes = scene.Report.Episodes.Reverse().ToList();
        var rows = Math.Clamp(episodes.Count + 1, 2, Math.Max(2, pane.Height - 3 - LeastText));
        if (episodes.Count == 0)
        {
            pane.Put(1, 2, Words.IsStarvingKnown(scene.Report)
                ? "No queue time of a second is proven."
                : "Whether items waited is not known: no counter sample came.");
        }
        else
        {
            new Table<StarvedEpisode>(pane.Rows(2, rows), Columns(scene)).Draw(episodes, -1);
        }

        var lines = Texts(
            scene, measured.Count > 0).SelectMany(t => TextBlock.Labelled(t.Label, t.Text, Indent, pane.Width - 2).Append(new("")));
        TextBlock.Draw(pane.Rows(3 + rows, pane.Height - 3 - rows), [.. lines], scene.State.Scroll);
    }

    static IEnumerable<(string Name, Distribution Of)> Distributions(Scene scene)
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
                    yield return (name, part);
                }
            }

            var isWhole = scene.Report.Items is { HealthyDelay: null, StarvedDelay: null } or null;
            yield return (isWhole ? "queued" : "all", wait);
        }

        if (run is not null && (times != ItemChoice.Wait || wait is null))
        {
            yield return ("run", run);
        }
    }

    static IEnumerable<TableColumn<StarvedEpisode>> Columns(Scene scene) =>
    [
        new("items waited from", 17, 9, e => Format.Clock(e.Span.From.MsSince(scene.Timeline.Start), tenths: true)) { Right = true },
        new("until", 8, 8, e => e.Over
            ? Format.Clock(e.Span.To.MsSince(scene.Timeline.Start), tenths: true) : scene.Newest) { Right = true },
        new("for", 11, 7, e => Format.Duration((e.Over ? e.Span.To : scene.Timeline.Now).MsSince(e.Span.From))) { Right = true },
        new("kind", 16, 6, e => VerdictWords.Of(e.Kind)) { Role = _ => Role.Starvation },
        new("an item waited at least", 23, 10, e => Format.Duration(e.ProvenWaitMs)) { Right = true },
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
