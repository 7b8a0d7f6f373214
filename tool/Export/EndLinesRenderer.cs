using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Writes no lines during the watch, and one document at the end of the watch.</summary>
sealed class EndLinesRenderer(Func<PoolReport, string> document) : ILineRenderer
{
    public string? Decision(InjectionDelay delay, PoolReport report) => null;

    public string? Finding(Finding finding, PoolReport report) => null;

    public string Summary(PoolReport report) => document(report).TrimEnd('\n');
}
