using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>The views with their keys; the one that is shown stands in brackets.</summary>
static class TabsLine
{
    const int WideScreen = 100;

    /// <summary>Where there is no room for the word of a view that has something to act on; the help says what it means.</summary>
    const string Alert = "!";

    const int RoomForWords = 80;

    public static void Draw(Pane line, Scene scene)
    {
        var x = 0;
        foreach (var view in AllViews.InOrder)
        {
            var shown = view.Name == scene.State.View;
            var name = line.Width >= WideScreen ? view.Title : view.Brief;
            var alert = shown || view.Alert(scene) is not { Length: > 0 } word ? "" : line.Width >= RoomForWords ? $", {word}" : Alert;
            var text = FormattableString.Invariant($"{(int)view.Name + 1} {name} {view.Count(scene)}").TrimEnd() + alert;
            x = line.Put(x, 0, shown ? $"[{text}]" : $" {text} ", shown ? Role.Title : Role.Text) + (line.Width >= WideScreen ? 1 : 0);
        }
    }
}
