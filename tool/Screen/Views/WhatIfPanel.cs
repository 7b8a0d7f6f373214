using Tpwatch.Screen.State;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Views;

/// <summary>The text of a what-if answer: effect, basis, uncertainty, and what the answer leaves out.</summary>
static class WhatIfPanel
{
    const int Indent = 8;

    public static void Draw(Pane pane, WhatIfAnswer answer)
    {
        pane.Rows(0, 1).Fill(0, pane.Glyphs.Rule, Role.Faint);
        var change = TextFit.Cut($"what if {answer.Change.Words}", pane.Width / 2);
        pane.Put(1, 0, $" {change}   * simulated   @ both   esc removes simulation ", Role.Title);
        TextBlock.Draw(pane.Rows(1, pane.Height - 1), [.. Lines(answer, pane.Width - 2)]);
    }

    /// <summary>Returns the answer as lines of text.</summary>
    public static IEnumerable<TextLine> Lines(WhatIfAnswer answer, int width) =>
        Texts(answer).SelectMany(t => TextBlock.Labelled(t.Label, t.Text, Indent, width, t.Role));

    public static IEnumerable<(string Label, string Text, Role Role)> Texts(WhatIfAnswer answer)
    {
        yield return ("Effect", WhatIfRenderer.Headline(answer), Role.Title);
        yield return ("", Sentence.Of(Words.OneLine(WhatIfWords.Others(answer))), Role.Text);
        if (answer.UnsureMin is { } unsure)
        {
            yield return ("But", $"{unsure} If you know the real MinThreads, type :min N.", Role.Text);
        }

        yield return ("Check", answer.Uncertainty, Role.Text);
        yield return ("Basis", answer.Basis, Role.Text);
        foreach (var remark in answer.Remarks.Where(remark => remark != answer.UnsureMin))
        {
            yield return ("But", remark, Role.Text);
        }
    }
}
