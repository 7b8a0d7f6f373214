namespace Tpwatch.Screen.State;

/// <summary>
/// Something that costs or destroys: the first press of its key says what, the second does it, every other key lets it be.
/// </summary>
/// <param name="Action">What is about to be done.</param>
/// <param name="Text">What it means, and how to go on.</param>
sealed record Ask(UiAction Action, string Text);
