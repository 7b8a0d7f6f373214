using System.Text;

namespace Tpwatch.Serve;

/// <summary>Labels as they stand in a series, read back into names and values: <c>process="dotnet",replica="0"</c>.</summary>
static class LabelText
{
    /// <summary>Reads what <see cref="TargetLabels"/> and the instruments write; a value is what it was before it was escaped.</summary>
    public static IEnumerable<(string Name, string Value)> Read(string labels)
    {
        for (var at = 0; at < labels.Length;)
        {
            var quote = labels.IndexOf("=\"", at, StringComparison.Ordinal);
            var name = labels[at..quote];
            StringBuilder value = new();
            for (at = quote + 2; labels[at] != '"'; at++)
            {
                value.Append(labels[at] == '\\' ? labels[++at] : labels[at]);
            }

            yield return (name, value.ToString());
            // Past the quote, and the comma where another follows.
            at += 2;
        }
    }
}
