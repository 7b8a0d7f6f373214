using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>What stands behind the verdict: its cause, and what to do next. It says nothing that the report does not hold.</summary>
static class VerdictLine
{
    const string ToDo = "6 shows what to do";

    /// <summary>The same from the longest to the shortest; the first that fits is written.</summary>
    public static IEnumerable<string> Of(Scene scene)
    {
        var (cause, brief) = VerdictCause.Of(scene.Report);
        foreach (var held in Held(scene.Report))
        {
            yield return Join(cause, held);
            yield return Join(brief, held);
            yield return Join(
                brief.Replace(" sampled", "", StringComparison.Ordinal).Replace(" threads blocked", " blocked", StringComparison.Ordinal),
                held);
        }

        var action = Action(scene);
        yield return Join(cause, action);
        if (VerdictCause.Culprit(scene.Report) is not null)
        {
            yield return Join(cause, scene.State.View switch
            {
                ViewName.Stacks => "See 6",
                // What to do stands below, and the stack is one of its reasons: nobody is sent back and forth.
                ViewName.Findings => "",
                _ => "See 3",
            });
            yield return cause;
        }

        yield return Join(brief, action);
        yield return Join(brief, action.Split(" (")[0]);
        yield return Join(brief, Elsewhere(scene, ToDo));
        yield return cause;
        yield return brief;
        yield return "";
    }

    // Who holds the lock is whom to look at; a holder in the same method is told from the others by its call.
    static IEnumerable<string> Held(PoolReport report)
    {
        if (VerdictCause.Culprit(report) is { Owner: null, PastLock: { } past })
        {
            yield return $"Its holder probably: {past.Replace("it is in ", "in ", StringComparison.Ordinal)}";
        }

        if (VerdictCause.Culprit(report) is not { Owner: { } owner } blocker)
        {
            yield break;
        }

        if (blocker.OwnerDoes is { } does)
        {
            var (parts, at) = (does.Split(" > "), BlockerWords.ShortName(does.Split(" > ")[0]));
            yield return $"Lock holder: {string.Join(" > ", parts.Skip(1).Prepend(at))}";
            yield return parts[0] == blocker.Brief ? $"Lock holder: in {parts[^1]}" : $"Lock holder: {at}";
        }
        else
        {
            yield return $"Lock holder: {owner}";
        }
    }

    static string Action(Scene scene) => scene.Report switch
    {
        { } report when LeadingFinding.Of(report)?.Cause.Kind == CauseKind.NoProcessor => Computes(scene),
        { } report when VerdictCause.Culprit(report) is not null && scene.State.View == ViewName.Stacks => ToDo,
        { } report when VerdictCause.Culprit(report) is not null && scene.State.View == ViewName.Findings => "",
        { } report when VerdictCause.Culprit(report) is { } blocker =>
            blocker.Owner is not null ? "3 shows who holds the lock" : "3 shows the stack",
        { Verdict: Verdict.Wedged } => "Take a dump, then restart",
        { Verdict: Verdict.Saturated } => Computes(scene),
        { Verdict: Verdict.Compensated } report when EndlessGrowth.Of(report) is not null => "Find what the tasks wait for",
        { Verdict: Verdict.Compensated } => scene.State.OffersStacks ? Finds(scene) : "Not urgent: await the tasks",
        { Verdict: Verdict.Healthy } report => LeadingFinding.Elsewhere(report) is null
            ? "Look at what requests await" : "Look at what the items await",
        { Verdict: Verdict.Undecided } => scene.State.OffersStacks ? Finds(scene)
            : !LacksItemTimes(scene) ? "i shows which data arrives"
            : IsOfItems(scene) ? "t twice measures the wait" : "4, then t twice, measures the wait",
        { Verdict: Verdict.NotThePool } => Elsewhere(scene, "6 shows why"),
        _ => scene.State.OffersStacks ? Finds(scene) : Elsewhere(scene, ToDo),
    };

    // In the view of the findings it stands below already.
    static string Elsewhere(Scene scene, string action) => scene.State.View == ViewName.Findings ? "" : action;

    // The headline names the command that measures single items; here keys do.
    static bool LacksItemTimes(Scene scene) => scene.State is { MayMeasureItems: true, MayTakeStacks: true }
        && scene.Report.Headline.Contains(Waits.MeasureItems(scene.Report), StringComparison.Ordinal);

    // There the key measures items.
    static bool IsOfItems(Scene scene) => scene.State.View == ViewName.Latency;

    static string Finds(Scene scene) =>
        $"{(IsOfItems(scene) ? "Press 3, then t, to find" : "t finds")} the call (pauses <= {DepthPrice.BurstMs} ms)";

    static string Computes(Scene scene) => !scene.State.OffersStacks ? "More threads do not help"
        : $"{(IsOfItems(scene) ? "Press 3, then t, to see" : "t shows")} what computes";

    static string Join(string cause, string action) => action.Length == 0 ? cause : $"{cause}. {action}";
}
