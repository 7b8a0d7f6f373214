using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Commands;

/// <summary>The effects of keys on findings; pure functions of the state.</summary>
static class FindingSteps
{
    /// <summary>Marks the finding as read or unread. A finding that becomes more serious counts as unread again.</summary>
    public static ViewState Acknowledge(Scene scene)
    {
        var rows = FindingRow.Of(scene);
        var state = scene.State;
        return FindingRow.Cursor(rows, scene) is not (>= 0 and var i) || rows[i].Found is not { } found
            ? state with { Flash = "There is no finding to mark as read." }
            : scene.IsAcknowledged(found) ? state with { Acknowledged = state.Acknowledged.Remove(found.Id) }
            : state with { Acknowledged = state.Acknowledged.SetItem(found.Id, found.Severity) };
    }

    /// <summary>Shows the time span of the finding on the overview.</summary>
    public static ViewState Evidence(Scene scene, int columns, FindingRow row) => row.Found is { } finding
        ? Navigation.Open(Navigation.Fit(scene, columns, new EventSpan(finding.From, finding.To)), ViewName.Overview) with { Rule = row.Id }
        : scene.State with { Flash = $"{row.Id} is undecided: there is no evidence to show." };

    /// <summary>Selects the next finding, or the previous one.</summary>
    public static ViewState Next(Scene scene, int columns, int step)
    {
        var rows = FindingRow.Of(scene).Where(r => r.Found is not null).ToList();
        if (rows.Count == 0)
        {
            return scene.State with { Flash = "Nothing was found." };
        }

        var at = rows.FindIndex(r => r.Id == scene.State.Rule);
        var listed = scene.State.View == ViewName.Findings;
        var next = rows[at < 0 && !listed ? 0 : Math.Clamp(Math.Max(at, 0) + step, 0, rows.Count - 1)];
        return listed ? Choose(scene.State, next.Id) : Evidence(scene, columns, next);
    }

    public static ViewState Choose(ViewState state, string rule) => state with { Rule = rule };
}
