using System.Globalization;
using System.Text;
using Tpwatch.Serve;
using Tpwatch.Tests.Docs;

namespace Tpwatch.Tests.Serving;

/// <summary>The page names every instrument, as the program has it.</summary>
[Collection(UserPages.Written)]
public sealed class InstrumentTests
{
    [Fact]
    public void The_page_has_every_instrument()
    {
        var table = new StringBuilder("| series | kind | meaning |\n|---|---|---|\n");
        foreach (var instrument in TargetInstruments.All)
        {
            Row(table, instrument);
        }

        foreach (var instrument in OwnInstruments.All)
        {
            Row(table, instrument);
        }

        GoldenPart.Verify("docs/serve.md", "instruments", table.ToString());
    }

    [Fact]
    public void A_name_ends_in_its_unit_and_a_counter_does_not_say_total_twice() => Assert.All(
        TargetInstruments.All.Select(i => i.Name).Concat(OwnInstruments.All.Select(i => i.Name)),
        name => Assert.Matches("^[a-z][a-z_]*[a-z]$", name.Replace("_total", "!", StringComparison.Ordinal)));

    static void Row<T>(StringBuilder table, Instrument<T> instrument) => table.Append(
        CultureInfo.InvariantCulture,
        $"| `{instrument.Name}{instrument.Ending}` | {TargetInstruments.Word(instrument.Kind)} | {instrument.Help} |\n");
}
