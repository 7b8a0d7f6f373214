namespace Tpwatch.Run;

/// <summary>
/// Cleans all text that tpwatch writes to a terminal, a log or a file. Control characters in names from a target or a recording become
/// question marks, since an escape sequence in a process name could move the cursor or rename the window.
/// </summary>
static class CleanBytes
{
    const byte Delete = 0x7F;

    // The characters U+0080 to U+009F, which terminals interpret as escape sequences, begin with this byte in UTF-8.
    const byte ControlLead = 0xC2;
    const byte FirstControl = 0x80;
    const byte LastControl = 0x9F;

    /// <summary>Returns clean text unchanged, else a cleaned copy. Text is UTF-8 in whole characters; line feeds and tabs stay.</summary>
    /// <param name="text">The text to write.</param>
    /// <param name="keepReturn">Whether carriage returns stay too; a progress line overwrites itself by a carriage return.</param>
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
