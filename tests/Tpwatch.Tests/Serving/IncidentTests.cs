using System.Globalization;
using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Serve;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Render;
using Tpwatch.Tests.Verbs;

namespace Tpwatch.Tests.Serving;

/// <summary>Incidents are kept whole, once, within their bounds; a folder that takes nothing harms nothing.</summary>
public sealed class IncidentTests : IDisposable
{
    readonly TempFolder folder = new();
    readonly StringWriter error = new() { NewLine = "\n" };
    readonly QuickTime time = new();

    public void Dispose()
    {
        folder.Dispose();
        error.Dispose();
    }

    [Fact]
    public async Task An_episode_that_is_over_is_kept_once_with_recording_and_page()
    {
        await using var process = await ProcessAsync();
        var (incidents, target) = (Incidents(), Target(process));
        incidents.Look(target, State(process, isOpen: true));
        Assert.Empty(Files());
        incidents.Look(target, State(process, isOpen: false));
        incidents.Look(target, State(process, isOpen: false));

        Assert.Equal([".html", ".json", ".nettrace"], Files().Select(f => f.Extension).Order());
        Assert.Equal((1, 0), (incidents.Kept, incidents.Failed));
        Assert.All(Files(), f => Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, f.UnixFileMode));
        await using var replay = new EngineWatch(
            ThreadPoolWatch.Replay(Files().Single(f => f.Extension == ".nettrace").FullName, new()), hasTarget: false);
        await replay.Completion.WaitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(process.Report().Verdict, replay.Report().Verdict);
    }

    [Fact]
    public async Task A_process_that_ends_while_it_starves_is_kept()
    {
        await using var process = await ProcessAsync();
        var (incidents, target) = (Incidents(), Target(process));
        incidents.Look(target, State(process, isOpen: true));
        incidents.Leave(target);
        Assert.Equal(3, Files().Length);
    }

    [Fact]
    public async Task An_incident_of_a_process_whose_session_cannot_be_replaced_is_counted_as_failed()
    {
        await using var process = await ProcessAsync();
        var (incidents, target) = (Incidents(), Target(process));
        incidents.Look(target, State(process, isOpen: true));
        target.Rest();
        incidents.Look(target, State(process, isOpen: true));
        incidents.Leave(target);
        Assert.Equal((0, 1), (incidents.Kept, incidents.Failed));
        Assert.Contains("its session could not be replaced", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_process_that_starves_again_and_again_is_one_incident()
    {
        await using var process = await ProcessAsync();
        var (incidents, target) = (Incidents(), Target(process));
        for (var i = 0; i < 5; i++)
        {
            incidents.Look(target, State(process, isOpen: true));
            incidents.Look(target, State(process, isOpen: false));
        }

        Assert.Equal(1, incidents.Kept);
    }

    [Fact]
    public async Task The_oldest_go_and_what_is_not_ours_stays()
    {
        await using var process = await ProcessAsync();
        folder.Write("20261122_precious.txt", "mine");
        folder.Write("notes.html", "mine");
        for (var i = 0; i < 25; i++)
        {
            folder.Write(string.Create(CultureInfo.InvariantCulture, $"20200101_0000{i:00}_Old-{i}.html"), "old");
        }

        var (incidents, target) = (Incidents(), Target(process));
        incidents.Look(target, State(process, isOpen: true));
        incidents.Look(target, State(process, isOpen: false));
        Assert.Equal(20 - 1 + 3 + 2, Files().Length);
        Assert.False(File.Exists(folder["20200101_000005_Old-5.html"]));
        Assert.True(File.Exists(folder["20200101_000006_Old-6.html"]));
        Assert.Equal("mine", File.ReadAllText(folder["notes.html"]));
    }

    [Fact]
    public async Task A_folder_that_is_gone_is_told_and_counted_and_nothing_else_happens()
    {
        await using var process = await ProcessAsync();
        var (incidents, target) = (Incidents(), Target(process));
        Directory.Delete(folder["."], recursive: true);
        incidents.Look(target, State(process, isOpen: true));
        incidents.Look(target, State(process, isOpen: false));
        Assert.Equal((0, 1), (incidents.Kept, incidents.Failed));
        Assert.StartsWith("tpwatch: Could not save the incident of pool-burst-7: ", error.ToString(), StringComparison.Ordinal);
        Directory.CreateDirectory(folder["."]);
    }

    [Fact]
    public void A_folder_that_cannot_be_one_is_refused() => Assert.Equal(
        ExitCode.Arguments, Assert.Throws<UserErrorException>(() => new IncidentFolder(folder.Write("file", "x"), Context())).ExitCode);

    FileInfo[] Files() => new DirectoryInfo(folder["."]).GetFiles();

    IncidentSaver Incidents() => new(new(folder["."], Context()), Context());

    static Task<RecordedProcess> ProcessAsync() => RecordedProcess.OfAsync("pool-burst", TestContext.Current.CancellationToken);

    static FleetTarget Target(RecordedProcess process) => new(RecordedFleet.Row(7), process, new("dotnet", "pool-burst", "", 0), []);

    static TargetSnapshot State(RecordedProcess process, bool isOpen)
    {
        var glance = process.Glance(null)!;
        StarvedEpisode episode = new(new(SampleReports.At(0), SampleReports.At(5000)), Verdict.Starved, Over: !isOpen, 2000);
        return new(RecordedFleet.Row(7), new("dotnet", "pool-burst", "", 0), "pool-burst-7", TargetCounters.None)
        {
            Glance = glance with { Ledger = glance.Ledger with { Episodes = [episode] } },
        };
    }

    CommandContext Context() =>
        new(new FakeEngine(), TextWriter.Null, error, TerminalFacts.None, time, TestContext.Current.CancellationToken);
}
