using Terminal.Gui.ViewBase;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>How long items waited in the queue: what is proven without events of single items, and what those show.</summary>
sealed class LatencyPage : Page
{
    /// <summary>Lines of text that must stay readable below the table.</summary>
    const int LeastText = 6;

    /// <summary>With less room than the lane and three items need, the lane is left out.</summary>
    const int LeastForLane = ItemPanel.Rows + 5;

    readonly DrawingView measuredHead;
    readonly RowTable<DistributionRow> measured;
    readonly DrawingView lane;
    readonly DrawingView head;
    readonly RowTable<StarvedEpisode> proven;
    readonly RowTable<SlowItem> slowest;
    readonly TextPane text;

    public LatencyPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        measuredHead = Line((scene, width) => DistributionTable.Head([.. LatencyText.Distributions(scene)], width), Role.Title);
        measured = new(looks, () => DistributionTable.Columns(model.State.Show.FewPercentiles, looks().Look.Glyphs)) { HasCursor = false };
        lane = Drawing((pane, scene) =>
        {
            if (scene.Report.Items is { } items)
            {
                ItemPanel.Draw(pane, scene, items);
            }
        });
        head = Drawing((pane, scene) =>
        {
            if (scene.Report.Items is { } items)
            {
                TextBlock.Title(pane, ItemPanel.Title(scene, items));
            }
            else
            {
                pane.Put(1, 0, TextFit.Whole(LatencyText.Head(LatencyText.Distributions(scene).Any()), pane.Width - 2), Role.Title);
            }
        });
        proven = new(looks, () => model.Scene is { } scene ? LatencyText.Columns(scene) : []) { HasCursor = false };
        slowest = new(looks, () => model.Scene is { } scene ? ItemPanel.Columns(scene) : []) { HasCursor = false };
        text = new(looks);
        Add(measuredHead, measured, lane, head, proven, slowest, text);
    }

    public override ViewName Name => ViewName.Latency;
    public override string TabName => "Latency";
    public override string Brief => "Lat";
    public override View Scrolled => Model.Scene?.Report.Items is null ? text : slowest;

    public override void Take(Scene scene)
    {
        var (width, height) = (Viewport.Width, Viewport.Height);
        ImmutableArray<DistributionRow> times = [.. LatencyText.Distributions(scene)];
        var y = times.IsEmpty ? 0 : times.Length + 3;
        Place(measuredHead, 0, 0, width, Math.Min(1, y));
        Place(measured, 0, 1, width, times.IsEmpty ? 0 : times.Length + 1);
        if (scene.Report.Items is { } items)
        {
            var lanes = height - y >= LeastForLane ? ItemPanel.Rows : 0;
            Place(lane, 0, y, width, lanes);
            Place(head, 0, y + lanes, width, 1);
            Place(slowest, 0, y + lanes + 1, width, height - y - lanes - 1);
            Place(proven, 0, 0, width, 0);
            Place(text, 0, 0, width, 0);
            Layout();
            slowest.Fill([.. items.Slowest], null);
        }
        else
        {
            ImmutableArray<StarvedEpisode> episodes = [.. scene.Report.Episodes.Reverse()];
            var rows = episodes.IsEmpty ? 0 : Math.Clamp(episodes.Length + 1, 2, Math.Max(2, height - y - 3 - LeastText));
            Place(lane, 0, 0, width, 0);
            Place(slowest, 0, 0, width, 0);
            Place(head, 0, y, width, 1);
            Place(proven, 0, y + 2, width, rows);
            Place(text, 0, y + 2 + rows, width, height - y - 2 - rows);
            Layout();
            proven.Fill(episodes, null);
            text.Fill(null, columns => LatencyText.Lines(scene, !times.IsEmpty, columns)
                .Prepend(new(episodes.IsEmpty ? LatencyText.Nothing(scene) : "")).SelectMany((line, i) =>
                    i == 0 && episodes.IsEmpty ? [line, new TextLine("")] : new[] { line }));
        }

        measured.Fill(times, null);
        measuredHead.SetNeedsDraw();
        lane.SetNeedsDraw();
        head.SetNeedsDraw();
    }
}
