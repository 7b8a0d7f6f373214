using Tpwatch.Recordings;
using Tpwatch.Scoring.Extracts;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Recordings.Extract;

/// <summary>
/// By way of its extract a recording tells the same as by the library alone: fact for fact, in order. The library is the judge; the extract
/// may only be shorter, or not be made.
/// </summary>
public sealed class ExtractTests : IDisposable
{
    const int Mutants = 60;
    const int ForeignMutants = 30;

    readonly TempFolder folder = new();

    public static TheoryData<string> Foreign => ["general.net8", "general.net10", "reused-ids.net10"];

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task Every_stored_recording_has_an_extract_that_tells_the_same()
    {
        foreach (var name in TestRecordings.All)
        {
            foreach (var both in await BothAsync(TestRecordings.File(name)))
            {
                Assert.True(both is { Difference: null, ReadAsItIs: null }, $"{name}: {both}");
                Assert.True(both.Facts > 0, name);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Foreign))]
    public async Task A_general_purpose_recording_of_which_nearly_all_is_left_out_tells_the_same(string name)
    {
        var file = await TestRecordings.UnpackAsync(name, folder);
        foreach (var both in await BothAsync(file))
        {
            Assert.True(both is { Difference: null, ReadAsItIs: null, Facts: > 10 }, $"{name}: {both}");
        }
    }

    [Theory]
    [MemberData(nameof(Foreign))]
    public async Task A_damaged_general_purpose_recording_tells_the_same(string name)
    {
        var whole = await File.ReadAllBytesAsync(await TestRecordings.UnpackAsync(name, folder), TestContext.Current.CancellationToken);
        for (var number = 0; number < ForeignMutants; number++)
        {
            await MutantAsync(whole, null, number, name);
        }
    }

    [Fact]
    public async Task A_damaged_recording_tells_the_same()
    {
        var asItIs = 0;
        for (var number = 0; number < Mutants; number++)
        {
            var name = TestRecordings.All[number % TestRecordings.All.Count];
            var whole = await File.ReadAllBytesAsync(TestRecordings.File(name), TestContext.Current.CancellationToken);
            asItIs += await MutantAsync(whole, SideCarFile.PathFor(TestRecordings.File(name)), number, name);
        }

        // Both ways are taken: what is not understood is handed on, and a cut or a changed value is understood.
        Assert.InRange(asItIs, 1, Mutants - 1);
    }

    [Fact]
    public async Task Another_format_is_left_to_the_library()
    {
        var bytes = await File.ReadAllBytesAsync(TestRecordings.File("pool-burst"), TestContext.Current.CancellationToken);
        // The version of the object that begins the trace.
        bytes[35] = 3;
        await File.WriteAllBytesAsync(folder["other.nettrace"], bytes, TestContext.Current.CancellationToken);

        var read = await ExtractComparison.OfAsync(folder["other.nettrace"], poolAlone: false);

        Assert.Equal((null, "another format than 4"), (read.Difference, read.ReadAsItIs));
    }

    /// <summary>1 where there was no extract.</summary>
    async Task<int> MutantAsync(byte[] whole, string? sideCar, int number, string name)
    {
        var (bytes, what) = Mutation.Of(whole, number);
        var file = folder["damaged.nettrace"];
        await File.WriteAllBytesAsync(file, bytes, TestContext.Current.CancellationToken);
        if (sideCar is not null)
        {
            File.Copy(sideCar, SideCarFile.PathFor(file), overwrite: true);
        }

        var both = await BothAsync(file);
        Assert.All(both, one => Assert.True(one.Difference is null, $"{name} {what}: {one.Difference}"));
        return both.Any(one => one.ReadAsItIs is not null) ? 1 : 0;
    }

    static async Task<ExtractComparison[]> BothAsync(string file) =>
        [await ExtractComparison.OfAsync(file, poolAlone: false), await ExtractComparison.OfAsync(file, poolAlone: true)];
}
