using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>A key, or several related keys, and the effect.</summary>
/// <param name="Keys">The keys as the hint line writes them.</param>
/// <param name="Does">The effect, in words.</param>
/// <param name="Action">The action of a click on the words or on the last key.</param>
readonly record struct KeyHint(string Keys, string Does, UiAction Action)
{
    /// <summary>The action of a click on the first of two keys.</summary>
    public UiAction First { get; init; } = Action;

    /// <summary>Whether it offers a key for the current situation, rather than being a plain hint.</summary>
    public bool IsOffer { get; init; }
}

/// <summary>The most useful keys that fit, made from the table of bindings.</summary>
static class HintLine
{
    /// <summary>Blanks between two hints.</summary>
    public const int Between = 2;
    const string Probe = "t";
    const string Sort = "c";

    /// <summary>The next effect of the probe's key: on the view of items, on other views, and while stacks are taken.</summary>
    const string Items = "measure items";

    const string Stacks = "take stacks";
    const string Stop = "stop taking stacks";

    /// <summary>
    /// The hints that fit into a width. <paramref name="offer"/>, the offer of the probe's key, comes first on views where that key takes
    /// stacks.
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

    /// <summary>The bindings in their order; those with the smallest <see cref="Binding.Keep"/> are left out until the rest fits.</summary>
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
        // Stacks of a healthy pool show no problem, so the key is hinted only on the views that show its results.
        Probe when scene.Report.Verdict == Verdict.Healthy
            && scene.State is { TakesStacks: false, View: not (ViewName.Stacks or ViewName.Latency) } => "",
        Probe => Next(scene.State),
        Sort when scene.State.View == ViewName.Stacks => scene.Report.Blockers is not { IsDefaultOrEmpty: false } ? ""
            : scene.State.Show.ByKind ? "by frame" : "by kind",
        _ => binding.Hint,
    };

    // Not hinted where the key is not available.
    static string Next(ViewState state) => state.View == ViewName.Latency ? state.MayMeasureItems ? Items : ""
        : state.TakesStacks ? Stop : state.MayTakeStacks ? Stacks : "";
}
