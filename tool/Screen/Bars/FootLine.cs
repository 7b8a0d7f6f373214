using Tpwatch.Controls;
using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Bars;

/// <summary>The last line: what is being typed, else what the last key led to, else the hints.</summary>
static class FootLine
{
    const string Offer = $"take stacks every 5 s (each pauses the process {DepthPrice.BurstMs} ms)";

    /// <summary>A sentence that does not fit one line takes as many from the view as it needs.</summary>
    const int MostRows = 4;

    /// <summary>How many rows it takes.</summary>
    public static int Rows(ViewState state, int width) =>
        state is { Prompt: null, Flash: { } flash } ? Math.Max(1, TextFit.Wrap(flash, width - 2, MostRows).Count) : 1;

    public static void Draw(Pane screen, Scene scene)
    {
        var state = scene.State;
        var line = screen.Rows(screen.Height - 1, 1);
        if (state.Prompt is { } prompt)
        {
            DrawPrompt(line, prompt);
        }
        else if (state.Flash is { } flash)
        {
            DrawFlash(screen, TextFit.Wrap(flash, line.Width - 2, MostRows));
        }
        else
        {
            HintLine.Draw(line, scene, state.OffersStacks ? Offer : null);
        }
    }

    static void DrawFlash(Pane screen, IReadOnlyList<string> lines)
    {
        var rows = screen.Rows(screen.Height - lines.Count, lines.Count);
        rows.Clear();
        for (var y = 0; y < lines.Count; y++)
        {
            rows.Put(1, y, lines[y], Role.Title);
        }
    }

    // The end of a long line is what is being typed.
    static void DrawPrompt(Pane line, Prompt prompt)
    {
        var text = prompt.Kind + prompt.Text;
        var x = line.Put(1, 0, text.Length <= line.Width - 3 ? text : text[^Math.Max(0, line.Width - 3)..], Role.Title);
        line.Put(x, 0, ' ', Role.Selection);
        var hint = prompt.Kind == ':'
            ? string.Join(' ', TypedCommands.Beginning(prompt.Text))
            : "filter by words such as S  delay>900  queue>10  !late; enter, esc";
        line.Put(x + 3, 0, TextFit.Whole(hint, line.Width - x - 4), Role.Faint);
    }
}
