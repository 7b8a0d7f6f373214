using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>A key, or some that belong together, and what it does.</summary>
/// <param name="Keys">As the bar writes them.</param>
/// <param name="Does">What it does.</param>
/// <param name="Action">What a click on the words does, and on the last key.</param>
readonly record struct KeyHint(string Keys, string Does, UiAction Action)
{
    /// <summary>What a click on the first of two keys does.</summary>
    public UiAction First { get; init; } = Action;

    /// <summary>Whether it is a proposal rather than a hint.</summary>
    public bool IsOffer { get; init; }
}

/// <summary>The most useful keys that fit, made from the table of bindings.</summary>
static class HintLine
{
    /// <summary>Blanks between two hints.</summary>
    public const int Between = 2;
    const string Probe = "t";
    const string Sort = "c";

    /// <summary>What that key does next: on the view of items, elsewhere, and while stacks are taken.</summary>
    const string Items = "measure items";

    const string Stacks = "take stacks";
    const string Stop = "stop taking stacks";

    /// <summary>
    /// What fits into a width: a key, what it does, and its action; what <paramref name="offer"/> says of the probe's key comes first,
    /// where that key takes stacks.
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
