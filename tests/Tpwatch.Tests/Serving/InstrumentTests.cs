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
        foreach (var instrument in MetricsCatalogue.All)
        {
            table.Append(
                CultureInfo.InvariantCulture,
                $"| `{instrument.Name}{instrument.Ending}` | {MetricsCatalogue.Word(instrument.Kind)} | {instrument.Help} |\n");
        }

        GoldenPart.Verify("docs/serve.md", "instruments", table.ToString());
    }

    [Fact]
    public void A_name_ends_in_its_unit_and_a_counter_does_not_say_total_twice() => Assert.All(
        MetricsCatalogue.All.Select(i => i.Name),
        name => Assert.Matches("^[a-z][a-z_]*[a-z]$", name.Replace("_total", "!", StringComparison.Ordinal)));

    /// <summary>By OpenTelemetry's rules for Prometheus: dots are underscores, the unit stands at the end.</summary>
    [Fact]
    public void A_collector_that_writes_for_Prometheus_comes_to_the_name_of_the_series() => Assert.All(
        MetricsCatalogue.All.Where(i => i.Name.StartsWith("tpwatch", StringComparison.Ordinal)),
        i =>
        {
            var ending = i.Unit switch { "s" => "_seconds", "By" => "_bytes", _ => "" };
            Assert.Equal(i.Name + (i.Kind == InstrumentKind.Info ? "_info" : ""), i.OtelName.Replace('.', '_') + ending);
            Assert.Matches("^tpwatch\\.[a-z_]+$", i.OtelName);
        });

    /// <summary>The names that begin with process belong to the semantic conventions; nothing of ours is among them.</summary>
    [Fact]
    public void Of_process_only_names_of_the_conventions_are_told() => Assert.Equal(
        ["process.cpu.time", "process.memory.usage"],
        MetricsCatalogue.All.Select(i => i.OtelName).Where(name => name.StartsWith("process", StringComparison.Ordinal)));

    [Fact]
    public void A_target_is_told_by_the_names_of_the_conventions() => Assert.Equal(
        ["process.executable.name", "tpwatch.assembly", "container.id", "tpwatch.replica"],
        new TargetLabels("dotnet", "Orders.Api", "0123456789ab", 0).Attributes.Select(attribute => attribute.Key));
}
