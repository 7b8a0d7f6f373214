using System.Text.RegularExpressions;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>What a stream of bytes leaves switched on in the terminal that gets it.</summary>
static partial class TerminalState
{
    /// <summary>Private modes that are on at the end, and <c>=</c> for the keypad's.</summary>
    public static ISet<string> Left(string text)
    {
        var on = new SortedSet<string>(StringComparer.Ordinal);
        foreach (Match match in Switch().Matches(text))
        {
            var names = match.Groups["modes"].Success ? match.Groups["modes"].Value.Split(';') : ["="];
            if (match.Value.EndsWith('h') || match.Value.EndsWith('='))
            {
                on.UnionWith(names);
            }
            else
            {
                on.ExceptWith(names);
            }
        }

        return on;
    }

    /// <summary>The mouse's modes of those.</summary>
    public static IEnumerable<string> MouseLeft(string text) => Left(text).Intersect(["1000", "1002", "1003", "1006", "1015"]);

    [GeneratedRegex("\e\\[\\?(?<modes>[0-9;]+)[hl]|\e[=>]")]
    private static partial Regex Switch();
}
