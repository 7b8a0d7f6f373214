using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>A hint: one key or several related keys, and their effect.</summary>
/// <param name="Keys">The keys as the hint line writes them.</param>
/// <param name="Does">The effect, in words.</param>
/// <param name="Action">The action of a click on the words or on the last key.</param>
readonly record struct KeyHint(string Keys, string Does, UiAction Action)
{
    /// <summary>The action of a click on the first of two keys.</summary>
    public UiAction First { get; init; } = Action;

    /// <summary>Whether the hint is an offer for the current situation, rather than a plain hint.</summary>
    public bool IsOffer { get; init; }
}

/// <summary>Selects the most useful keys that fit, from the table of bindings.</summary>
static class HintLine
{
    /// <summary>Number of blanks between two hints.</summary>
    public const int Between = 2;
    const string Probe = "t";
    const string Sort = "c";

    /// <summary>Text for the next effect of the key <c>t</c>: on the view of items, on other views, and while stacks are taken.</summary>
    const string Items = "measure items";

    const string Stacks = "take stacks";
    const string Stop = "stop taking stacks";

    /// <summary>
    /// Returns the hints that fit into a width. On views where the key <c>t</c> takes stacks, <paramref name="offer"/>, the offer of that
    /// key, comes first.
    /// </summary>
    public static IEnumerable<KeyHint> Of(Scene scene, int width, string? offer)
    {
        var (left, view) = (width, scene.State.View);
        var offers = offer is not null && view != ViewName.Latency;
        if (offers)
        {
            yield return new(Probe, $": {offer}", UiAction.Probe) { IsOffer = true };
            left -= Probe.Length + offer!.Length + 2 + Between;
        }

        foreach (var binding in Fitting(left, view, b => Hint(b, scene)).Where(b => !offers || b.Show != Probe))
        {
            yield return new(binding.Show, binding.Hint, binding.Keys[^1].Action) { First = binding.Keys[0].Action };
        }
    }

    /// <summary>The bindings in their order; the smallest <see cref="Binding.Keep"/> is left out until the others fit.</summary>
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
        // Stacks of a healthy pool show no problem, so the key t is hinted only on the views that show stacks or item times.
        Probe when scene.Report.Verdict == Verdict.Healthy
            && scene.State is { TakesStacks: false, View: not (ViewName.Stacks or ViewName.Latency) } => "",
        Probe => Next(scene.State),
        Sort when scene.State.View == ViewName.Stacks => scene.Report.Blockers is not { IsDefaultOrEmpty: false } ? ""
            : scene.State.Show.ByKind ? "by frame" : "by kind",
        _ => binding.Hint,
    };

    // Returns the next effect of the key t; empty where the key is not available.
    static string Next(ViewState state) => state.View == ViewName.Latency ? state.MayMeasureItems ? Items : ""
        : state.TakesStacks ? Stop : state.MayTakeStacks ? Stacks : "";
}
