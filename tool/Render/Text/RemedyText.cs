using Tpwatch.Render.Shared;
using Tpwatch.Reports;

namespace Tpwatch.Render.Text;

/// <summary>What to do, with the setting where it is one.</summary>
static class RemedyText
{
    public static string Of(Remedy remedy) =>
        remedy.Setting is { } setting ? $"{Words.OneLine(remedy.Text).TrimEnd('.')}: {setting}" : Words.OneLine(remedy.Text);
}
