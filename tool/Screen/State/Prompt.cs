using System.Text;
using Tpwatch.Screen.Canvas;

namespace Tpwatch.Screen.State;

/// <summary>A line that is being typed at the foot of the screen.</summary>
/// <param name="Kind"><c>:</c> for a command, <c>/</c> for a filter.</param>
/// <param name="Text">What has been typed.</param>
sealed record Prompt(char Kind, string Text)
{
    /// <summary>Longer than any command: what is pasted by mistake is cut off here.</summary>
    public const int Longest = 60;

    public Prompt With(Rune character) =>
        Text.Length < Longest && Runes.IsNarrow(character.Value) ? this with { Text = Text + character } : this;

    public Prompt WithoutLast() => this with { Text = Text.Length == 0 ? "" : Text[..^1] };
}
