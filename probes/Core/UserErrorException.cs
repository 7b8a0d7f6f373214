namespace Tpwatch.Core;

/// <summary>An expected failure that tpwatch can explain: one sentence, one hint and one exit code, never a stack trace.</summary>
public sealed class UserErrorException(string sentence, string hint, ExitCode exitCode, Exception? cause = null)
    : Exception(sentence, cause)
{
    /// <summary>The action that the user can take, one sentence.</summary>
    public string Hint { get; } = hint;

    /// <summary>The exit code with which tpwatch ends if it cannot continue after the exception.</summary>
    public ExitCode ExitCode { get; } = exitCode;
}

/// <summary>
/// Cleans text from a target, a recording or a file name. Such text must not start a new line or send control sequences to the terminal.
/// </summary>
static class UntrustedText
{
    /// <summary>Returns the text as one line, with each terminal control or text-direction character replaced by a question mark.</summary>
    public static string Line(string text) => text.Any(Steers) ? new([.. text.Select(Shown)]) : text;

    // A control character that is white space becomes a space, so that a setting with a tab before its number can still be parsed.
    static char Shown(char c) => !Steers(c) ? c : char.IsWhiteSpace(c) ? ' ' : '?';

    // Whether the character is a control character, a line or paragraph separator, or changes the text direction.
    static bool Steers(char c) =>
        char.IsControl(c) || c is '\u2028' or '\u2029' or (>= '\u202A' and <= '\u202E') or (>= '\u2066' and <= '\u2069');
}
