namespace Tpwatch.Screen;

/// <summary>
/// Spells the key Esc as a sequence of its own. The library takes Esc and whatever comes within 50 ms as one sequence, and throws all of it
/// away where it knows none such (2.5.0): a key behind an Esc that is typed or pasted fast would be lost.
/// </summary>
static class Escapes
{
    /// <summary>A terminal sends a sequence at once; so long its rest may be on the way, milliseconds. The library waits as long.</summary>
    public const int SequenceMs = 50;

    const char Escape = '\e';

    /// <summary>As terminals with the newer keyboard protocol send it.</summary>
    const string Key = "\e[27u";

    /// <summary>What begins a sequence behind the escape character: CSI, SS3, OSC, DCS, APC, PM, SOS, ST.</summary>
    const string Introducers = "[O]P_^X\\";

    /// <summary>The characters that were read, with Esc spelled.</summary>
    /// <param name="read">Reads what there is.</param>
    /// <param name="comesMore">Waits for the rest of a sequence; false when nothing comes.</param>
    public static string Spelled(Func<IEnumerable<char>> read, Func<bool> comesMore)
    {
        var text = string.Concat(read());
        while (text.EndsWith(Escape) && comesMore() && string.Concat(read()) is { Length: > 0 } rest)
        {
            text += rest;
        }

        if (!text.Contains(Escape, StringComparison.Ordinal))
        {
            return text;
        }

        var spelled = new System.Text.StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            var isKey = text[i] == Escape && (i + 1 == text.Length || !Introducers.Contains(text[i + 1], StringComparison.Ordinal));
            spelled.Append(isKey ? Key : text[i].ToString());
        }

        return spelled.ToString();
    }
}
