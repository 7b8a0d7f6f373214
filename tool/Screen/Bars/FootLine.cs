using Tpwatch.Controls;
using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Bars;

/// <summary>The last line: what is being typed, else what the last key led to, else the hints.</summary>
static class FootLine
{
    const string Offer = $"name the call that blocks, pauses of {DepthPrice.BurstMs} ms";

    public static void Draw(Pane line, ViewState state)
    {
        if (state.Prompt is { } prompt)
        {
            DrawPrompt(line, prompt);
        }
        else if (state.Flash is { } flash)
        {
            line.Put(1, 0, TextFit.Cut(flash, line.Width - 2), Role.Title);
        }
        else
        {
            HintLine.Draw(line, state.View, state.OffersStacks ? Offer : null);
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
            : "words that must match: S  gap>900  queue>10  rule:G2  !fits   enter  esc";
        line.Put(x + 3, 0, TextFit.Cut(hint, line.Width - x - 4), Role.Faint);
    }
}
