using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>What is under the cursor, as text for a chat or a ticket.</summary>
static class ClipText
{
    /// <summary>Columns of the text.</summary>
    const int Width = 100;

    /// <summary>Terminals take tens of kilobytes; a finding or a gap is far shorter.</summary>
    public const int Longest = 16_000;

    /// <summary>
    /// The text, at most <see cref="Longest"/> characters and without control characters; null when nothing is under the cursor.
    /// </summary>
    public static string? Of(Scene scene)
    {
        var lines = scene.State.View switch
        {
            ViewName.Findings => Finding(scene),
            ViewName.Stacks => Stack(scene),
            ViewName.Overview when scene.State.Imagined is { } answer => WhatIfPanel.Texts(answer)
                .SelectMany(t => TextBlock.Labelled(t.Label, t.Text, 8, Width)).Select(l => l.Text)
                .Prepend($"what if {answer.Change.Words}").Prepend(Where(scene)),
            _ => Event(scene),
        };
        var text = string.Join('\n', lines.Select(l => Clean(l).TrimEnd()));
        return text.Length == 0 ? null : text.Length <= Longest ? text + "\n" : text[..Longest];
    }

    static IEnumerable<string> Finding(Scene scene)
    {
        var rows = FindingRow.Of(scene);
        if (FindingRow.Cursor(rows, scene) is not (>= 0 and var i))
        {
            return [];
        }

        var title = rows[i].Found is { } found
            ? $"{found.Id} {found.Severity.ToString().ToLowerInvariant()}: {found.Title}"
            : $"{rows[i].Id} undecided";
        // Where it is read no key of this screen helps.
        var elsewhere = scene with { State = scene.State with { MayTakeStacks = false } };
        return FindingText.Of(rows[i], elsewhere, Width).Select(l => l.Text).Prepend(title).Prepend(Where(scene));
    }

    static IEnumerable<string> Stack(Scene scene)
    {
        var rows = BlockerRow.Of(scene);
        return BlockerRow.Cursor(rows, scene) is >= 0 and var i
            ? BlockerPanel.Stack(rows[i], scene, int.MaxValue).Select(l => l.Text)
                .Prepend($"{Format.Percent(rows[i].Share)} of the samples, {rows[i].Kind.ToString().ToLowerInvariant()}: {rows[i].Place}")
                .Prepend(Where(scene))
            : [];
    }

    static IEnumerable<string> Event(Scene scene) => Steps.Under(scene) is { } gap
        ? GapDetail.Lines(scene, gap, Width).Select(l => l.Text)
            .Prepend(FormattableString.Invariant($"#{gap.Number} ") + GapText.Facts(gap, scene, Width)).Prepend(Where(scene))
        : [];

    static string Where(Scene scene) =>
        $"{scene.Timeline.Target.Name} pid {Words.Pid(scene.Timeline.Target)}, capture from {Format.Utc(scene.Timeline.StartUtc)}";

    static string Clean(string text) => new([.. text.Where(c => !char.IsControl(c))]);
}
