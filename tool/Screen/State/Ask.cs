namespace Tpwatch.Screen.State;

/// <summary>
/// A question before an action that costs something or deletes data. The first press of the action's key shows <see cref="Text"/>, the
/// second press runs the action, and any other key cancels the action.
/// </summary>
/// <param name="Action">The action to confirm.</param>
/// <param name="Text">What the action does, and which keys confirm or cancel the action.</param>
sealed record Ask(UiAction Action, string Text);
