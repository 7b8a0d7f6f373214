using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>What was read of the memory of the process: what threads wait for, and what waits in the queue.</summary>
static class InsideText
{
    const int Indent = 11;

    /// <summary>Waits and kinds of queued items; more are in the report.</summary>
    const int Most = 5;

    /// <summary>The text in lines, an empty one last; none without a reading.</summary>
    public static IEnumerable<TextLine> Lines(PoolReport report, int width)
    {
        var lines = Texts(report).SelectMany(t => TextBlock.Labelled(t.Label, Words.OneLine(t.Text), Indent, width)).ToList();
        return lines.Count == 0 ? [] : lines.Append(new(""));
    }

    static IEnumerable<(string Label, string Text)> Texts(PoolReport report)
    {
        if (report.Inside is not { } reading)
        {
            yield break;
        }

        foreach (var (wait, i) in reading.Waits.Take(Most).Select((w, i) => (w, i)))
        {
            yield return (i == 0 ? "Waits for" : "", InsideWords.Of(wait));
        }

        if (reading.Queue is { } queue && InsideWords.Kinds(queue, Most) is { } kinds)
        {
            yield return ("In queue", kinds);
        }

        foreach (var (unknown, i) in reading.Unknown.Select((u, i) => (u, i)))
        {
            yield return (i == 0 ? "Not known" : "", InsideWords.Of(unknown));
        }
    }
}
