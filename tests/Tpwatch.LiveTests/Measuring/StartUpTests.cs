using Tpwatch.Benchmarks;

namespace Tpwatch.LiveTests.Measuring;

/// <summary>A measuring command, run on programs of which one is known to be slow: it ends with 1 when its goal is missed.</summary>
[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
public sealed class StartUpTests : IDisposable
{
    const int Minute = 60_000;
    const string Pairs = "3";

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-startup-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact(Timeout = Minute)]
    public async Task A_start_that_takes_much_longer_than_its_peer_s_misses_the_goal()
    {
        var (quick, slow) = (Script("quick", ""), Script("slow", "sleep 0.5"));
        Assert.Equal(1, await Task.Run(() => StartUp.Run([slow, quick, Pairs]), TestContext.Current.CancellationToken));
        Assert.Equal(0, await Task.Run(() => StartUp.Run([quick, slow, Pairs]), TestContext.Current.CancellationToken));
    }

    string Script(string name, string does)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the programs of this test are shell scripts");
        var path = Path.Combine(folder.FullName, name);
        File.WriteAllText(path, $"#!/bin/sh\n{does}\n");
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        return path;
    }
}
