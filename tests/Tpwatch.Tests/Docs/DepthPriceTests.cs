using System.Globalization;
using Tpwatch.Commands;
using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs;

/// <summary>What `--help` says of the price of a probe is what tests/SCORES.md has measured.</summary>
public sealed class DepthPriceTests
{
    /// <summary>Two runs of the same measurement on the same quiet machine differ by as much.</summary>
    const double Apart = 0.03;

    public static TheoryData<string, string> Prices => new()
    {
        { "basic", DepthOption.BasicShare }, { "items", DepthOption.ItemsShare }, { "items alone, a target on .NET 8", DepthOption.ItemsWithStacksShare },
    };

    [Theory]
    [MemberData(nameof(Prices))]
    public void The_price_that_is_told_is_the_measured_one(string session, string told)
    {
        var row = File.ReadLines(Path.Combine(SourceTree.Root, "tests", "SCORES.md")).FirstOrDefault(l => l.StartsWith($"| {session} | ", StringComparison.Ordinal));
        Assert.SkipWhen(row is null, "The price was not measured yet: price --write.");
        var measured = double.Parse(row!.Split('|')[2].Trim().Split(' ')[0], CultureInfo.InvariantCulture);
        Assert.InRange(double.Parse(told, CultureInfo.InvariantCulture), measured - Apart, measured + Apart);
    }
}
