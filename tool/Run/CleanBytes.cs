namespace Tpwatch.Run;

/// <summary>
/// The one door through which texts leave, to a terminal, a log or a file: control characters that came with a target's names, or a
/// recording's, become question marks. An escape sequence from a process name would move the cursor or rename the window.
/// </summary>
static class CleanBytes
{
    const byte Delete = 0x7F;

    // U+0080 to U+009F, which terminals take for escape sequences of one character, begin with this byte in UTF-8.
    const byte ControlLead = 0xC2;
    const byte FirstControl = 0x80;
    const byte LastControl = 0x9F;

    /// <summary>The same bytes where they are clean, else a copy; UTF-8, each character whole. Line feeds and tabs stay.</summary>
    /// <param name="text">What is to leave.</param>
    /// <param name="keepReturn">Whether carriage returns stay, too: a line that is written over itself has one.</param>
    public static ReadOnlySpan<byte> Of(ReadOnlySpan<byte> text, bool keepReturn = false)
    {
        byte[]? clean = null;
        for (var i = 0; i < text.Length; i++)
        {
            if (IsControl(text, i, keepReturn))
            {
                clean ??= text.ToArray();
                clean[i] = (byte)'?';
            }
            else if (text[i] == ControlLead && i + 1 < text.Length && text[i + 1] is >= FirstControl and <= LastControl)
            {
                clean ??= text.ToArray();
                clean[i] = clean[++i] = (byte)'?';
            }
        }

        return clean ?? text;
    }

    static bool IsControl(ReadOnlySpan<byte> text, int i, bool keepReturn) =>
        text[i] == Delete || (text[i] < (byte)' ' && text[i] is not ((byte)'\n' or (byte)'\t') && !(keepReturn && text[i] == '\r'));
}
