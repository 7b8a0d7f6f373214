using System.Text.Json;
using Microsoft.Diagnostics.NETCore.Client;
using Tpwatch.Fixtures.Inside.Truth;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Order;

namespace Tpwatch.LiveTests.Inside;

/// <summary>Reports of core dumps, against what the dumped process says of itself.</summary>
[Collection(AloneCollection.Name)]
public sealed class DumpTests
{
    const int LimitMs = 5 * 60 * 1000;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory(Timeout = LimitMs)]
    [InlineData(TargetRuntime.Net10, "waits", "undecided")]
    [InlineData(TargetRuntime.Net8, "ready", "starved")]
    [InlineData(TargetRuntime.Net10, "ready", "starved")]
    [InlineData(TargetRuntime.Net10, "locks", "undecided")]
    public async Task A_dump_tells_what_its_process_tells(TargetRuntime runtime, string mode, string verdict)
    {
        using var dump = new TemporaryDump();
        await using var target = await InsideTarget.AtRestAsync(runtime, mode, Cancel);
        await dump.WriteAsync(target.Pid, Cancel);
        var run = await ReportAsync(dump.File, "--format", "json");
        Assert.True(run.Code == 0, run.Error);
        using var document = JsonDocument.Parse(run.Out);
        var root = document.RootElement;
        Assert.Equal(("tpwatch-dump/1", verdict), (root.GetProperty("schema").GetString(), root.GetProperty("verdict").GetString()));
        var seen = new SeenInside(root.GetProperty("inside"));
        if (target.Truth.Limits is { } limits)
        {
            Assert.Equal(limits, new(seen.Limit("minThreads"), seen.Limit("maxThreads")));
        }

        Assert.All(target.Truth.Waits.Select(InDump), wait => Assert.True(seen.Right(wait) == wait.Threads, $"{wait}\n{seen.Line}"));
        if (target.Truth.Queue is { } queue)
        {
            Assert.Equal(queue.Global + queue.Local, seen.Queued("total"));
            Assert.All(queue.Kinds, kind => Assert.Equal(kind.Value, seen.Kind(kind.Key)));
        }
    }

    [Fact(Timeout = LimitMs)]
    public async Task What_is_no_whole_dump_is_refused_in_a_sentence()
    {
        using var dump = new TemporaryDump();
        await using (var target = await InsideTarget.StartAsync(TargetRuntime.Net10, "ready", Cancel))
        {
            await dump.WriteAsync(target.Pid, Cancel);
        }

        await using (var file = new FileStream(dump.File, FileMode.Open))
        {
            file.SetLength(file.Length / 20);
        }

        var run = await ReportAsync(dump.File);
        Assert.Equal((2, ""), (run.Code, run.Out));
        Assert.StartsWith("tpwatch: tpwatch could not read the dump: ", run.Error, StringComparison.Ordinal);
        var html = await ReportAsync(dump.File, "--format", "html");
        Assert.Equal(3, html.Code);
    }

    // What time it was is not in the dump, so whether a timer is due is not told; what is awaited is.
    static WaitTruth InDump(WaitTruth wait) => wait.End == "timer" ? wait with { End = "unknown" } : wait;

    static Task<ToolRun> ReportAsync(params string[] options) => ToolRun.Of(
        new(BuiltPrograms.Host, ["exec", ToolRun.Tool, "report", .. options]), Limit, Cancel);

    sealed class TemporaryDump : IDisposable
    {
        readonly string folder = Directory.CreateTempSubdirectory("tpwatch-dump-").FullName;

        public string File => Path.Combine(folder, "core.dmp");

        public Task WriteAsync(int pid, CancellationToken cancel) =>
            new DiagnosticsClient(pid).WriteDumpAsync(DumpType.WithHeap, File, logDumpGeneration: false, cancel);

        public void Dispose() => Directory.Delete(folder, recursive: true);
    }
}
