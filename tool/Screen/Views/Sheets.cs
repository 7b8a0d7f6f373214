using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>The screen with its dialogs.</summary>
static class Sheets
{
    /// <summary>The window of a model, which opens the dialogs that its commands need.</summary>
    public static LiveWindow Window(ScreenModel model, Look look)
    {
        LiveWindow? window = null;
        return window = new LiveWindow(model, look) { Open = action => Of(action, model, window!)?.Show(window!.App!) };
    }

    static Sheet? Of(UiAction action, ScreenModel model, LiveWindow window) => action switch
    {
        UiAction.Help => new HelpSheet(window.Now, model.State.View, window.Act),
        _ when model.Scene is null => null,
        UiAction.Command => new PaletteSheet(window.Now, model, window.Act),
        UiAction.WhatIf => new WhatIfSheet(window.Now, model),
        UiAction.Save => new SaveSheet(window.Now, model),
        UiAction.SelfCheck or UiAction.Loss => new InfoSheet(window.Now, model, action == UiAction.Loss),
        _ => null,
    };
}
