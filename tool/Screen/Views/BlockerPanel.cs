using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>The table of the places that hold worker threads, largest share first, and the stack of the row under the cursor.</summary>
static class BlockerPanel
{
    const int BarColumns = 16;

    const string Mark = "=> ";

    /// <summary>Text in place of a delegate that the server generated, because the route's code has no frame of its own.</summary>
    const string Endpoint = "the code of this route: its methods are inlined here, so their names are not known";

    /// <summary>Returns the line above the table.</summary>
    public static string Head(Scene scene) =>
        $"Where worker threads were: share of {DeepEvidence.Sampled(scene.Report)} by {(scene.State.Show.ByKind ? "kind" : "frame")}";

    /// <summary>
    /// Returns the frames of a row's stack, innermost first, then the notes. Framework frames are folded unless the user shows them; the
    /// frame of the row's place is marked.
    /// </summary>
    public static IEnumerable<TextLine> Stack(BlockerRow row, Scene scene, int width)
    {
        var (folded, marked) = (0, false);
        // A stack that consists only of framework frames is shown whole.
        var whole = scene.State.Show.AllFrames || row.Stack.All(BlockerRow.IsFramework);
        foreach (var frame in row.Stack)
        {
            if (BlockerRow.IsFramework(frame) && !whole)
            {
                folded++;
                continue;
            }

            if (folded > 0)
            {
                yield return Folded(folded);
                folded = 0;
            }

            var own = frame == row.Frame && !marked;
            marked |= own;
            yield return own ? new($"{Mark}{(row.IsEndpoint ? Endpoint : frame)}", Role.Title)
                : new($"{new string(' ', Mark.Length)}{frame}", Role.Text);
        }

        if (folded > 0)
        {
            yield return Folded(folded);
        }

        yield return new("");
        foreach (var line in row.Notes.Append(CulpritWords.ToThePool(row.Kind)).SelectMany(note => TextFit.Wrap(note, width, int.MaxValue)))
        {
            yield return new(line);
        }
    }

    static TextLine Folded(int frames) => new(
        $"   ... {Format.Plural(frames, "framework frame")} hidden: b shows {(frames == 1 ? "it" : "them")}", Role.Faint);

    public static IEnumerable<TableColumn<BlockerRow>> Columns(GlyphSet glyphs) =>
    [
        new("share", 5, 9, r => Format.Percent(r.Share)) { Right = true, Rank = r => r.Share },
        new("", BarColumns, 3, r => Bar(r.Share, glyphs)) { Role = _ => Role.Queue, Rank = r => r.Share },
        new("threads", 7, 6, r => Format.Brief(r.Threads)) { Right = true, Rank = r => r.Threads },
        new("kind", 6, 8, r => CulpritWords.Word(r.Kind))
        {
            Role = r => r.Kind is BlockKind.Task or BlockKind.Cpu ? Role.Text : Role.Starvation,
        },
        new("frame", 0, 10, r => r.Place),
    ];

    static string Bar(double share, GlyphSet glyphs)
    {
        var full = Math.Clamp((int)Math.Round(share * BarColumns), 0, BarColumns);
        return new string(glyphs.Ramp[^1], full) + new string(glyphs.Calm, BarColumns - full);
    }
}
