using Tpwatch.Lab.Compare;

namespace Tpwatch.LiveTests.Measuring;

/// <summary>Two commands measured in pairs, of which one is known to be slow: its budget is missed.</summary>
[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
public sealed class PairsTests : IDisposable
{
    const int Minute = 60_000;

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-pairs-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact(Timeout = Minute)]
    public async Task A_start_that_takes_much_longer_than_its_peer_s_misses_the_budget()
    {
        var (quick, slow) = (Script("quick", ""), Script("slow", "sleep 0.5"));
        Assert.False(await HoldsAsync(slow, quick));
        Assert.True(await HoldsAsync(quick, slow));
    }

    static Task<bool?> HoldsAsync(Command one, Command other) => Task.Run(
        () => ComparedRow.Ratio("start", "the other", Pairs.Of(one, other, pairs: 3).Wall, most: 1).Holds,
        TestContext.Current.CancellationToken);

    Command Script(string name, string does)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the programs of this test are shell scripts");
        var path = Path.Combine(folder.FullName, name);
        File.WriteAllText(path, $"#!/bin/sh\n{does}\n");
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        return new(path);
    }
}
