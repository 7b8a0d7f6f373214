using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>The overview: all lanes over one time axis, and below them the most important finding.</summary>
sealed class OverviewPage : Page
{
    readonly LanePane lanes;

    public OverviewPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        var finding = 0;
        lanes = new(model, looks, (pane, scene) => finding = Overview.Draw(pane, scene)) { Below = () => finding };
        Add(lanes);
    }

    public override ViewName Name => ViewName.Overview;
    public override string TabName => "Overview";
    public override string Brief => "Over";

    public override void Take(Scene scene) => lanes.SetNeedsDraw();
}

/// <summary>
/// Lanes over time that react to the mouse. A click selects the nearest event, a double click shows the details of that event, a drag
/// measures a span, and the wheel zooms.
/// </summary>
sealed class LanePane : DrawingView
{
    readonly ScreenModel model;
    EventTime? from;
    bool dragged;

    /// <param name="model">The model behind the screen.</param>
    /// <param name="looks">Gets the present colours and glyphs.</param>
    /// <param name="draw">Draws the lanes.</param>
    public LanePane(ScreenModel model, Func<Looks> looks, Action<Pane, Scene> draw)
        : base(looks, pane =>
        {
            if (model.Scene is { } scene)
            {
                draw(pane, scene);
            }
        })
    {
        this.model = model;
        (Width, Height, MousePositionTracking) = (Dim.Fill(), Dim.Fill(), true);
    }

    /// <summary>The row at which the lanes end and the first finding begins; a click below opens the view of the findings.</summary>
    public Func<int> Below { get; init; } = () => int.MaxValue;

    /// <inheritdoc/>
    protected override bool OnMouseEvent(Mouse mouse)
    {
        if (model.Scene is not { } scene || mouse.Position is not { } at)
        {
            return false;
        }

        var flags = mouse.Flags;
        if (flags.HasFlag(MouseFlags.WheeledUp) || flags.HasFlag(MouseFlags.WheeledDown))
        {
            model.Do(flags.HasFlag(MouseFlags.WheeledUp) ? UiAction.ZoomIn : UiAction.ZoomOut);
            return true;
        }

        var moment = MomentAt(scene, at.X);
        if (flags.HasFlag(MouseFlags.LeftButtonPressed))
        {
            Drag(at.Y < Below() ? moment : null, flags.HasFlag(MouseFlags.PositionReport));
            return true;
        }

        if (flags.HasFlag(MouseFlags.LeftButtonReleased))
        {
            from = null;
            App?.Mouse.UngrabMouse();
            return true;
        }

        // Terminal.Gui also reports the end of a drag as a click.
        if (flags.HasFlag(MouseFlags.LeftButtonClicked) && dragged)
        {
            dragged = false;
            return true;
        }

        return flags.HasFlag(MouseFlags.LeftButtonClicked) ? Click(scene, at.X, at.Y)
            : flags.HasFlag(MouseFlags.LeftButtonDoubleClicked) && DoubleClick();
    }

    void Drag(EventTime? moment, bool moves)
    {
        if (!moves)
        {
            (from, dragged) = (moment, false);
            App?.Mouse.GrabMouse(this);
        }
        else if (from is { } begin && moment is { } end && end != begin)
        {
            dragged = true;
            model.Choose(scene => scene.State with { Measure = new(begin, end), Flash = MeasureText.Of(scene, begin, end) });
        }
    }

    bool Click(Scene scene, int x, int y)
    {
        if (y >= Below())
        {
            model.Choose(s => Navigation.Open(s.State with { Rule = FirstFinding.Of(s)?.Id ?? s.State.Rule }, ViewName.Findings));
            return true;
        }

        var window = scene.Window(model.Columns);
        var column = x - Left;
        var near = scene.Marks.Where(g => window.Shows(g.End)).MinBy(g => Math.Abs(window.XOf(g.End) - column));
        if (near is not null)
        {
            model.Choose(s => s.State with { Selected = near.Number, Right = window.To, Measure = null });
        }

        return true;
    }

    bool DoubleClick()
    {
        model.Do(UiAction.Enter);
        return true;
    }

    // First column of the plot; the name and the scale of a lane stand left of the plot, the newest value right of the plot.
    int Left => Viewport.Width - LaneBox.PlotColumns(Viewport.Width) - LaneBox.RightGutter;

    EventTime? MomentAt(Scene scene, int x)
    {
        var window = scene.Window(LaneBox.PlotColumns(Viewport.Width));
        var column = x - Left;
        return column >= 0 && column < window.Count ? window.TimeOf(window.First + column) : null;
    }
}
