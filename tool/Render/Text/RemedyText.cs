using Tpwatch.Render.Shared;
using Tpwatch.Reports;

namespace Tpwatch.Render.Text;

/// <summary>What to do, with the setting where it is one: behind the first sentence, which says what it does.</summary>
static class RemedyText
{
    const string Next = ". ";

    public static string Of(Remedy remedy)
    {
        var text = Words.OneLine(remedy.Text);
        return remedy.Setting is not { } setting ? text
            : text.IndexOf(Next, StringComparison.Ordinal) is >= 0 and var end ? $"{text[..end]}: {setting}{text[end..]}"
            : $"{text.TrimEnd('.')}: {setting}";
    }
}
