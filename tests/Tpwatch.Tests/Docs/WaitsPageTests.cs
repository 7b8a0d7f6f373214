using System.Globalization;
using System.Text;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Docs;

/// <summary>The page of kinds of waits has each row of the engine's table.</summary>
[Collection(UserPages.Written)]
public sealed class WaitsPageTests
{
    [Fact]
    public void The_page_of_waits_has_every_kind_with_what_helps()
    {
        var table = new StringBuilder("| A thread waits for | What to do | Do more worker threads help? |\n|---|---|---|\n");
        // Who computes waits for nothing that a program could do without.
        foreach (var known in Enum.GetValues<Resource>().Where(r => r != Resource.Processor).Select(KnownResource.Of))
        {
            table.Append(CultureInfo.InvariantCulture, $"| {Cell(known.Name)} | {Cell(known.Remedy)} | {Helps(known)} |\n");
        }

        GoldenPart.Verify("docs/waits.md", "waits", table.ToString());
    }

    // Lazy<T> would be a tag.
    static string Cell(string text) => text.Replace("<", "&lt;", StringComparison.Ordinal);

    static string Helps(KnownResource known) => known.Threads switch
    {
        MoreThreadsEffect.Help => "yes",
        MoreThreadsEffect.MayHelp => known.If!,
        _ => "no",
    };
}
