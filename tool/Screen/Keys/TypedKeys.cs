using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Keys;

/// <summary>What keys do while a line is being typed.</summary>
static class TypedKeys
{
    /// <summary>The next state, and what else is asked for.</summary>
    public static (ViewState State, Wish? Wish) Next(Scene scene, int columns, KeyPress key)
    {
        var (state, prompt) = (scene.State, scene.State.Prompt!);
        return key switch
        {
            { Key: Key.Escape } => (state with { Prompt = null }, null),
            { Key: Key.Enter } => Enter(scene with { State = state with { Prompt = null } }, columns, prompt),
            { Key: Key.Backspace } => (state with { Prompt = prompt.Text.Length == 0 ? null : prompt.WithoutLast() }, null),
            { Key: Key.Tab } when prompt.Kind == ':' =>
                (state with { Prompt = prompt with { Text = TypedCommands.Complete(prompt.Text) } }, null),
            { Key: Key.Char, Ctrl: false, Alt: false } => (state with { Prompt = prompt.With(key.Char) }, null),
            _ => (state, null),
        };
    }

    static (ViewState State, Wish? Wish) Enter(Scene scene, int columns, Prompt prompt) => prompt.Kind == '/'
        ? (scene.State with { List = scene.State.List with { Filter = prompt.Text.Trim() }, Scroll = 0 }, null)
        : TypedCommands.Run(scene, columns, prompt.Text.Trim());
}
