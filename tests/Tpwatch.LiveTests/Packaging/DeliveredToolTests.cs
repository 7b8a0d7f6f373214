using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// What a user has in hand, the package and the single file, does on a live process and on a recording what the tool of this build does.
/// </summary>
[Collection(PackagingCollection.Name)]
public sealed class DeliveredToolTests(DeliveredRuns runs) : OfPackages, IClassFixture<DeliveredRuns>
{
    const int LimitMs = 180_000;
    const string Recording = "pool-burst";

    static readonly TimeSpan ReplayLimit = TimeSpan.FromSeconds(60);

    /// <summary>Each way in which the tool comes, with the runtime that it must run on there.</summary>
    public static IEnumerable<TheoryDataRow<Delivery, int>> Ways =>
    [
        new(Delivery.Package, Environment.Version.Major), new(Delivery.AnyPackage, Environment.Version.Major),
        new(Delivery.PackageOnNet11, 11), new(Delivery.SingleFile, Environment.Version.Major) { Explicit = true },
    ];

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Ways))]
    public async Task Attached_in_the_middle_of_an_incident_it_says_what_the_process_says_of_itself(Delivery delivery, int major)
    {
        var look = await runs.LookAsync(delivery);
        var expected = ScenarioCatalogue.All.Single(scenario => scenario.Name == look.Truth.Header.Scenario).Expectation;

        Assert.Equal(major, Version.Parse(look.Runtime.Split('-', '+')[0]).Major);
        Assert.Equal(look.Pid, look.Report.GetProperty("target").GetProperty("pid").GetInt32());
        Assert.True(expected.Verdicts.Contains(look.Verdict), look.ToString());
        Assert.True(expected.MustFindings[0] == look.FirstFinding, look.ToString());
        Assert.True(
            look.FirstFinding == look.Lines.First(line => line.Contains(" TPW", StringComparison.Ordinal)).Split(' ')[1], look.ToString());
        Assert.Contains(look.Lines, line => line.StartsWith("STARVED, now for ", StringComparison.Ordinal));
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Ways))]
    public async Task Each_of_its_lines_is_a_worker_that_the_process_got(Delivery delivery, int _)
    {
        var look = await runs.LookAsync(delivery);
        var injections = look.Injections();
        Assert.True(injections.Length > 1, look.ToString());
        Assert.All(injections, one => Assert.NotEqual(0, look.WaitingAt(one.At)));
        // None comes without a line. The last one's worker may be slow to begin.
        Assert.Equal(Enumerable.Range(injections[0].Worker, injections.Length), injections.Select(one => one.Worker));
        Assert.All(injections.SkipLast(1), one => Assert.True(look.Begins(one.At, one.Worker), look.ToString()));
    }

    /// <summary>Names come by way of the tracing library's own log, of which the delivered tool has only what is reached.</summary>
    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Ways))]
    public async Task It_names_the_method_that_holds_the_workers(Delivery delivery, int _)
    {
        var look = await runs.LookAsync(delivery);
        Assert.True(look.Blocking.Length > 0, look.ToString());
        Assert.Contains("Scenarios.PoolBurst.Run", look.Blocking[0], StringComparison.Ordinal);
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Ways))]
    public async Task A_recording_says_the_same_wherever_it_is_read(Delivery delivery, int _)
    {
        var file = Path.Combine(SourceBuild.Root, "tests", "Recordings", Recording + ".nettrace");
        var read = await ToolRun.Of(runs.Command(delivery, "report", file), ReplayLimit, TestContext.Current.CancellationToken);
        Assert.True(read.Code == 0, read.Error);
        Assert.Equal((await runs.ReportAsync(file)).Out, read.Out);
        Assert.StartsWith(ScenarioCatalogue.All.Single(scenario => scenario.Name == Recording).Expectation.Verdicts.Single(),
            read.Out, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>The library of the protocol writes messages by code made at build time, of which a trimmer may take some.</summary>
    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Ways))]
    public async Task It_answers_an_agent(Delivery delivery, int _)
    {
        var cancel = TestContext.Current.CancellationToken;
        var start = runs.Command(delivery, "mcp");
        var command = new StdioClientTransportOptions
        {
            Command = start.FileName, Arguments = [.. start.ArgumentList], EnvironmentVariables = start.Environment,
        };
        await using var agent = await McpClient.CreateAsync(new StdioClientTransport(command), cancellationToken: cancel);
        Assert.Contains(await agent.ListToolsAsync(cancellationToken: cancel), tool => tool.Name == "what_if");
        Dictionary<string, object?> recorded = new()
        {
            ["recording"] = Path.Combine(SourceBuild.Root, "tests", "Recordings", Recording + ".nettrace"),
        };
        var report = await agent.CallToolAsync("report", recorded, cancellationToken: cancel);
        Assert.Contains("STARVED", Assert.IsType<TextContentBlock>(Assert.Single(report.Content)).Text, StringComparison.Ordinal);
        Dictionary<string, object?> missing = new() { ["pid"] = 2_000_000_000 };
        Assert.True((await agent.CallToolAsync("check", missing, cancellationToken: cancel)).IsError);
    }

    [Fact(Timeout = LimitMs)]
    public async Task The_command_of_the_README_for_a_clone_works_as_written()
    {
        var (exit, output) = runs.FirstCommand;
        Assert.True(exit == 0, output);
        Assert.Contains("STARVED", output, StringComparison.Ordinal);
    }
}
