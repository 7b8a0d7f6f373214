using Tpwatch.Lab.Figures;
using Tpwatch.Lab.Scores;

namespace Tpwatch.Tests.Measuring;

/// <summary>What a command has written is read again as it was meant.</summary>
public sealed class WrittenTablesTests
{
    const string Machine = "2 processors, x64, kernel 6.18, clock step 4 ms, .NET 10.0.12; load 0.10 before.";

    static readonly string Price = PricePage.Of(
        (new(new([1.0, 0.98]), new([0.91]), new([0.8, 1.01, 1.02]), 264_185), new(new([0.99]), new([0.66]), 271_654)),
        [new(".NET 10", 0.01, 0.6, 1021), new(".NET 8", 0.02, 3, 4200)],
        (new(new([32, 34]), new([9]), new([117]), 1), new(new([35]), new([9]), new([117]), 66)), Machine);

    static readonly WrittenTables Tables = new(GeneratedPart.Replace(
        GeneratedPart.Replace("# Scores\n", PricePage.Name, Price), LatencyPage.Name,
        LatencyPage.Of([("Starvation", new([100, 122]))], Machine)));

    [Fact]
    public void A_cell_is_found_by_its_section_its_row_and_its_column()
    {
        Assert.Equal([0.99, 0.98, 1, 2], Tables.Numbers(PricePage.Name, PricePage.Basic, 1));
        Assert.Equal(264_185, Tables.Number(PricePage.Name, PricePage.Rate, 1));
        Assert.Equal(33, Tables.Number(PricePage.Name, PricePage.IdleBurst, 1));
        Assert.Equal("2 processors, x64, kernel 6.18, clock step 4 ms, .NET 10.0.12; load 0.10 before", Tables.Machine(PricePage.Name));
        Assert.Throws<InvalidOperationException>(() => Tables.Cell(PricePage.Name, "basics", 1));
        Assert.Throws<InvalidOperationException>(() => Tables.Section("prices"));
    }

    [Fact]
    public void The_pages_tell_the_price_in_the_figures_of_the_table()
    {
        var part = PriceParts.InFull(Tables);
        Assert.Contains("Measured on 2 processors, x64, kernel 6.18, .NET 10.0.12 (", part, StringComparison.Ordinal);
        Assert.Contains("| 0.01 ms | 0.6 ms |", part, StringComparison.Ordinal);
        Assert.Contains("| none | 4.2 kB a second |", part, StringComparison.Ordinal);
        Assert.Contains("saturated with 260 000 items a second", part, StringComparison.Ordinal);
        Assert.Contains("| 1.01 (0.80 to 1.02) | 0.99 (0.98 to 1.00) |", part, StringComparison.Ordinal);
        Assert.Contains("95 % of them appear within 122 ms of the event", part, StringComparison.Ordinal);
        var table = PriceParts.InShort(Tables);
        Assert.Contains(
            "| 0.6 ms of processor time and 1.0 kB of events a second (.NET 8: 3.0 ms, 4.2 kB) |", table, StringComparison.Ordinal);
        Assert.Contains("runs 260 000 items a second | The process keeps 99% of its throughput |", table, StringComparison.Ordinal);
    }
}
