namespace Tpwatch.Screen.State;

/// <summary>
/// The confirmation of an action that costs something or deletes data: the first press of its key shows <see cref="Text"/>, the second
/// runs the action, any other key cancels it.
/// </summary>
/// <param name="Action">The action to confirm.</param>
/// <param name="Text">What the action does, and which keys confirm or cancel it.</param>
sealed record Ask(UiAction Action, string Text);
