using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Bars;

/// <summary>The most useful keys that fit, made from the table of bindings.</summary>
static class HintLine
{
    const int Between = 2;
    const string Probe = "t";
    const string Sort = "c";

    /// <summary>What that key does next: on the view of items, elsewhere, and while stacks are taken.</summary>
    const string Items = "measure items";

    const string Stacks = "take stacks";
    const string Stop = "stop taking stacks";

    /// <summary>Draws them; what <paramref name="offer"/> says of the probe's key comes first, where that key takes stacks.</summary>
    public static void Draw(Pane line, Scene scene, string? offer)
    {
        if (Over(scene.State) is { } over)
        {
            Put(line, 1, over);
            return;
        }

        var (x, view) = (1, scene.State.View);
        var offers = offer is not null && view != ViewName.Latency;
        if (offers)
        {
            x = line.Put(x, 0, Probe, Role.KeyName);
            x = line.Put(x, 0, $": {offer}", Role.Title) + Between;
        }

        Put(line, x, Fitting(line.Width - 1 - x, view, b => Hint(b, scene)).Where(b => !offers || b.Show != Probe)
            .Select(b => (b.Show, b.Hint)));
    }

    static void Put(Pane line, int x, IEnumerable<(string Key, string Does)> hints)
    {
        foreach (var (key, does) in hints)
        {
            x = line.Put(x, 0, key, Role.KeyName);
            x = line.Put(x + 1, 0, does, Role.Faint) + Between;
        }
    }

    // What lies over the screen has the keys for itself; nobody is to quit to get rid of it.
    static (string Key, string Does)[]? Over(ViewState state) =>
        state.Menu is not null ? [("up/dn", "choose"), ("enter", "simulate"), ("esc", "back"), ("q", "quit")]
        : state.Help ? [("pgdn", "more"), ("esc", "back"), ("q", "quit")]
        : state.Info != InfoText.None ? [("esc", "back"), ("?", "help"), ("q", "quit")]
        : null;

    /// <summary>The bindings in their order, the least needed left out until the rest fits.</summary>
    public static IReadOnlyList<Binding> Fitting(int width, ViewName view, Func<Binding, string> hint)
    {
        var shown = Bindings.All.Where(b => b.IsHintedOn(view))
            .Select(b => b with { Hint = hint(b) }).Where(b => b.Hint.Length > 0).ToList();
        while (shown.Count > 0 && shown.Sum(b => b.Show.Length + 1 + b.Hint.Length + Between) - Between > width)
        {
            shown.Remove(shown.MinBy(b => b.Keep)!);
        }

        return shown;
    }

    static string Hint(Binding binding, Scene scene) => binding.Show switch
    {
        // Of a healthy pool they show nothing; who wants them all the same finds the key where they are shown.
        Probe when scene.Report.Verdict == Verdict.Healthy
            && scene.State is { TakesStacks: false, View: not (ViewName.Stacks or ViewName.Latency) } => "",
        Probe => Next(scene.State),
        Sort when scene.State.View == ViewName.Stacks => scene.Report.Blockers is not { IsDefaultOrEmpty: false } ? ""
            : scene.State.Show.ByKind ? "by frame" : "by kind",
        _ => binding.Hint,
    };

    // Where the key would only say that it cannot, it is not named.
    static string Next(ViewState state) => state.View == ViewName.Latency ? state.MayMeasureItems ? Items : ""
        : state.TakesStacks ? Stop : state.MayTakeStacks ? Stacks : "";
}
