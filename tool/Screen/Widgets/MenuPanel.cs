using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Widgets;

/// <summary>The changes of a what-if to choose from, and how to type another.</summary>
static class MenuPanel
{
    const int ChangeColumn = 6;
    const int NoteColumn = 46;

    public static void Draw(Pane pane, Menu menu)
    {
        TextBlock.Title(pane.Rows(0, 1), "what if the same work items ran with other settings?");
        for (var i = 0; i < menu.Items.Length; i++)
        {
            var chosen = i == menu.Cursor;
            pane.Put(1, i + 2, FormattableString.Invariant($"{(chosen ? '>' : ' ')} {(i < 9 ? i + 1 : ' ')}"), Role.KeyName);
            pane.Put(ChangeColumn, i + 2, TextFit.Cut(menu.Items[i].Change.Words, NoteColumn - ChangeColumn - 2),
                chosen ? Role.Selection : Role.Text);
            pane.Put(NoteColumn, i + 2, TextFit.Whole(menu.Items[i].Note, pane.Width - NoteColumn - 1), Role.Faint);
        }

        pane.Put(1, menu.Items.Length + 3,
            TextFit.Whole("Press a digit or enter to simulate. Or type :whatif min 40 max 60. esc leaves.", pane.Width - 2));
    }
}
