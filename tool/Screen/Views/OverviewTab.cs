using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>The overview among the other views.</summary>
sealed class OverviewTab : IView
{
    public ViewName Name => ViewName.Overview;
    public string Title => "Overview";
    public string Brief => "Over";

    public string Count(Scene scene) => "";

    public void Draw(Pane pane, Scene scene) => OverviewView.Draw(pane, scene);
}
