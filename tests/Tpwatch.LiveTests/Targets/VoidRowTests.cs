using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Packaging;

namespace Tpwatch.LiveTests.Targets;

/// <summary>What excuses a row and what does not, and that no line is lost.</summary>
public sealed class VoidRowTests
{
    const int LimitMs = 60_000;

    // A standstill from 1 000 ms to 1 200 ms.
    static readonly TruthHiccup Standstill = new() { At = Ns(1200), OvershootMs = 200 };

    [Theory(Timeout = LimitMs)]
    [InlineData(0, 999, false)]
    [InlineData(0, 1000, true)]
    [InlineData(900, 1100, true)]
    [InlineData(1050, 1100, true)]
    [InlineData(1150, 5000, true)]
    [InlineData(1200, 5000, true)]
    [InlineData(1201, 5000, false)]
    public Task Only_a_standstill_that_overlaps_the_time_that_matters_excuses(int fromMs, int toMs, bool excused)
    {
        Assert.Equal(excused ? Standstill : null, VoidRow.Standstill([Standstill], new(Ns(fromMs)), new(Ns(toMs)), 100));
        return Task.CompletedTask;
    }

    [Theory(Timeout = LimitMs)]
    [InlineData(200, true)]
    [InlineData(200.5, false)]
    public Task One_that_is_too_short_does_not(double atLeastMs, bool excused)
    {
        Assert.Equal(excused, VoidRow.Standstill([Standstill], new(0), new(Ns(5000)), atLeastMs) is not null);
        return Task.CompletedTask;
    }

    [Fact(Timeout = LimitMs)]
    public Task Many_short_ones_are_no_long_one_and_of_several_the_longest_is_told()
    {
        var shorter = Enumerable.Range(0, 50).Select(i => new TruthHiccup { At = Ns(1000 + (i * 10)), OvershootMs = 9 }).ToArray();
        Assert.Null(VoidRow.Standstill(shorter, new(0), new(Ns(5000)), 10));
        var longer = Standstill with { OvershootMs = 300 };
        Assert.Equal(longer, VoidRow.Standstill([.. shorter, longer, Standstill], new(0), new(Ns(5000)), 10));
        return Task.CompletedTask;
    }

    [Fact(Timeout = LimitMs)]
    public async Task Lines_of_many_that_write_at_once_are_all_there_and_whole()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "tests", "void.txt");
        await Task.WhenAll(
            Enumerable.Range(0, 40).Select(i => Task.Run(() => VoidRow.WriteAsync(file, $"Row({i})", "it stood\nstill"))));
        var lines = await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken);
        Assert.Equal(Enumerable.Range(0, 40).Select(i => $"Row({i}): it stood still").Order(StringComparer.Ordinal),
            lines.Order(StringComparer.Ordinal));
    }

    [Fact(Timeout = LimitMs)]
    public Task A_fixture_that_computes_got_what_its_own_clock_of_the_processors_says()
    {
        var alone = StoredTruthFile.Read(Path.Combine(SourceBuild.Root, "tests", "Recordings", "ten-counting-items.truth.json")).Run;
        Assert.InRange(VoidRow.ShareOfProcessors(alone)!.Value, 0.9, 1.1);
        var half = alone with { Pool = [.. alone.Pool.Select(seen => seen with { CpuMs = seen.CpuMs / 2 })] };
        Assert.Equal(VoidRow.ShareOfProcessors(alone)!.Value / 2, VoidRow.ShareOfProcessors(half)!.Value, 6);
        Assert.Null(VoidRow.ShareOfProcessors(alone with { Pool = [] }));
        return Task.CompletedTask;
    }

    static long Ns(int ms) => ms * 1_000_000L;
}
