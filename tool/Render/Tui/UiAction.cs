namespace Tpwatch.Render.Tui;

/// <summary>What a key can ask for.</summary>
internal enum UiAction
{
    Quit,
    Help,
    Peel,
    Redraw,
    Freeze,
    Follow,
    PreviousEvent,
    NextEvent,
    PreviousInjection,
    NextInjection,
    ZoomIn,
    ZoomOut,
    ZoomDefault,
    PanBack,
    PanForward,
    Oldest,
    Newest,
}
