namespace Tpwatch.Core;

/// <summary>
/// Text that a target, a recording or a file name brings along: anybody may have written it. Nothing in it may end a line, begin another,
/// or speak to a terminal.
/// </summary>
static class ForeignText
{
    /// <summary>The same on one line, what steers a terminal or turns the direction of writing shown as a question mark.</summary>
    public static string Line(string text) => text.Any(Steers) ? new([.. text.Select(Shown)]) : text;

    // A blank is a blank: settings with a tab before their number are read all the same.
    static char Shown(char c) => !Steers(c) ? c : char.IsWhiteSpace(c) ? ' ' : '?';

    // Line and paragraph separator, and the marks that turn the direction of what follows.
    static bool Steers(char c) =>
        char.IsControl(c) || c is '\u2028' or '\u2029' or (>= '\u202A' and <= '\u202E') or (>= '\u2066' and <= '\u2069');
}
