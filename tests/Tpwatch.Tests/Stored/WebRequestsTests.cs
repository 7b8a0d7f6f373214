using System.Text.Json;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Stacks;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Verbs;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Stored;

/// <summary>
/// A recording of requests and stacks, met in its middle, whose paths are the numbers by which the server wrote down
/// which thread ran which request from when to when.
/// </summary>
public sealed class WebRequestsTests
{
    static readonly string Recording = Path.Combine(TestRecordings.Folder, "Deep", "web-requests.nettrace");

    [Fact]
    public async Task Each_thread_that_a_burst_saw_at_work_ran_the_request_that_is_told()
    {
        var truth = Truth();
        await using var session = RecordedSession.Open(Recording);
        var bursts = BurstPacking.Unpack(session.SideCar!.Bursts)!;
        var probes = SideStreamProbes.ForRecording(new() { ShowPaths = true });
        new EventDecoder(null, probes.Probes).Decode(new(session.Side!.Events), probes.Tracker);
        var requests = new RequestsOnThreads(probes.Tracker.Snapshot().Requests);
        var told = 0;
        foreach (var burst in bursts.Bursts)
        {
            var held = truth.Where(t => t.Started < burst.At.Nanoseconds && t.Ended > burst.At.PlusMs(burst.Ms).Nanoseconds)
                .ToDictionary(t => t.Thread, t => $"GET /{t.Id}");
            Assert.NotEmpty(held);
            foreach (var stack in burst.Stacks.Where(s => held.ContainsKey(s.ThreadId)))
            {
                Assert.Equal(new RequestOn(held[stack.ThreadId], Sure: true),
                    requests.Of(burst, stack, StackClassifier.Of(stack, bursts.Own)));
                told++;
            }
        }

        Assert.InRange(told, 10, int.MaxValue);
    }

    [Fact]
    public async Task Requests_take_as_long_as_the_server_says()
    {
        var report = await ReportAsync(new());
        var route = report.Requests!.Routes.Single();
        var took = Truth().Where(t => t.Ended < long.MaxValue).Select(t => (t.Ended - t.Started) / 1e6).Order().ToArray();
        Assert.Equal("GET /{n}", route.Route);
        Assert.InRange(route.All.P50Ms, took[took.Length / 10], took[^(took.Length / 10)]);
        Assert.Equal(16, route.UnderWay);
        Assert.StartsWith("GET /{n} > WebSyncOverAsync.Block > Task.Wait", report.Blockers!.Value[0].Chain, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("text")]
    [InlineData("json")]
    [InlineData("html")]
    [InlineData("perfetto")]
    [InlineData("csv-requests")]
    public async Task No_path_stands_whole_in_a_report_unless_it_is_asked_for(string format)
    {
        string[] words = ["report", Recording, "--format", format, .. format == "text" ? ["--verbose"] : Array.Empty<string>()];
        var (plain, whole) = (await RunAsync(words), await RunAsync([.. words, "--show-paths"]));
        var paths = Truth().Select(t => $"GET /{t.Id}").ToArray();
        Assert.DoesNotContain(paths, path => plain.Out.Contains(path, StringComparison.Ordinal));
        if (format != "perfetto")
        {
            Assert.Contains("GET /{n}", plain.Out, StringComparison.Ordinal);
            Assert.Contains(paths, path => whole.Out.Contains(path, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void The_file_beside_a_recording_names_no_request()
    {
        var text = File.ReadAllText(Recording + ".json");
        Assert.DoesNotContain("GET ", text, StringComparison.Ordinal);
        Assert.DoesNotContain("HTTP/1.1", text, StringComparison.Ordinal);
    }

    static async Task<PoolReport> ReportAsync(WatchOptions options)
    {
        await using var watch = ThreadPoolWatch.Replay(Recording, options);
        await watch.Completion.WaitAsync(TestContext.Current.CancellationToken);
        return watch.Report();
    }

    static Task<CommandRun> RunAsync(params string[] words) =>
        CommandRun.Of(new LiveEngine(), context => context with { Time = TimeProvider.System }, words);

    static (int Id, int Thread, long Started, long Ended)[] Truth() =>
    [
        .. File.ReadLines(Path.ChangeExtension(Recording, ".truth.json")).Select(line => JsonDocument.Parse(line).RootElement)
            .Where(one => one.GetProperty("kind").GetString() == "item" && one.GetProperty("started").ValueKind == JsonValueKind.Number)
            .Select(one => (
                one.GetProperty("id").GetInt32(), one.GetProperty("osThread").GetInt32(), one.GetProperty("started").GetInt64(),
                one.TryGetProperty("ended", out var ended) && ended.ValueKind == JsonValueKind.Number ? ended.GetInt64() : long.MaxValue)),
    ];
}
