using Tpwatch.Core;
using Tpwatch.Run;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Text;

namespace Tpwatch.Tests.Verbs;

/// <summary>Several processes at once: each has a file of its own, and what becomes of one touches no other.</summary>
public sealed class SeveralProcessesTests : IDisposable
{
    static readonly ProcessRow Second = new(7, "OrderApi", "10.0.1", "www-data", "/srv/OrderApi");
    static readonly ProcessRow Worker = new(9, "Worker", "10.0.1", "www-data", "/srv/Worker");

    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    static FakeEngine Three(int? refuses = null) => new()
    {
        Processes = { Second, Worker },
        Refusal = refuses is null ? null : new("it did not answer", "try again", ExitCode.NoSession),
        Refuses = refuses,
    };

    [Theory]
    [InlineData("-p", "41822,9")]
    [InlineData("-p", "41822", "--pid", "9")]
    [InlineData("-p", "9,41822,9,9")]
    public async Task A_report_of_each_is_written_to_a_file_named_by_the_process(params string[] named)
    {
        var run = await CommandRun.Of(Three(), ["report", .. named, "-o", folder["run.txt"]]);
        Assert.Equal(0, run.Code);
        Assert.Equal(["run.OrderApi-41822.txt", "run.Worker-9.txt"], Files());
        Assert.All(Files(), f => Assert.Contains("STARVED for 25.9 s, over now", File.ReadAllText(folder[f]), StringComparison.Ordinal));
        Assert.Empty(run.Out);
    }

    [Fact]
    public async Task All_of_a_name_are_taken_when_asked_and_only_they()
    {
        var run = await CommandRun.Of(Three(), "report", "-n", "OrderApi", "--all", "--format", "json", "-o", folder["run"]);
        Assert.Equal(0, run.Code);
        Assert.Equal(["run.OrderApi-41822", "run.OrderApi-7"], Files());
    }

    [Theory]
    [InlineData(9)]
    [InlineData(12345)]
    public async Task One_that_refuses_or_is_not_there_spoils_no_other_and_the_code_is_its(int pid)
    {
        var run = await CommandRun.Of(Three(refuses: 9), "report", "-p", $"41822,{pid},7", "-o", folder["run.txt"]);
        Assert.Equal(1, run.Code);
        Assert.Equal(["run.OrderApi-41822.txt", "run.OrderApi-7.txt"], Files());
        Assert.Contains(pid == 9 ? "tpwatch: Worker 9: It did not answer." : "tpwatch: process 12345: There is no process 12345.",
            run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_fail_on_finds_in_one_is_not_undone_by_another_that_refuses()
    {
        var run = await CommandRun.Of(Three(refuses: 9), "report", "-p", "41822,9", "--fail-on", "starvation", "-o", folder["run.txt"]);
        Assert.Equal(10, run.Code);
        Assert.Contains("OrderApi 41822: --fail-on starvation is met", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Texts_on_standard_output_stand_in_the_order_that_was_asked_for_each_under_its_process()
    {
        var run = await CommandRun.Of(Three(), "report", "-p", "9,41822,7");
        Assert.Equal(0, run.Code);
        var headings = run.Out.Split('\n').Where(l => l.Contains(", process ", StringComparison.Ordinal)).ToArray();
        Assert.Equal(["Worker, process 9", "OrderApi, process 41822", "OrderApi, process 7"], headings);
    }

    [Theory]
    [InlineData("report -p 41822,9 --format html", "Cannot write several html documents to one output.")]
    [InlineData("report -p 41822,9 -n OrderApi", "Two targets were given, -p and -n.")]
    [InlineData("record -p 41822 --all", "--all needs -n, and cannot be combined with --wait.")]
    [InlineData("record -n OrderApi --all --wait", "--all needs -n, and cannot be combined with --wait.")]
    [InlineData("report -p 1,2,3,4,5,6,7,8,9", "9 processes are too many to watch at once (at most 8).")]
    [InlineData("report -p 1,,2", "'' is not a valid number for -p.")]
    [InlineData("-p 1,2", "'1,2' is not a valid number for -p.")]
    public async Task A_mistake_is_told_before_anything_is_attached_to(string words, string sentence)
    {
        var engine = Three();
        var run = await CommandRun.Of(engine, words.Split(' '));
        Assert.Equal(3, run.Code);
        Assert.Equal($"tpwatch: {sentence}", run.ErrorLines[0]);
        Assert.Null(engine.Watch);
    }

    [Fact]
    public async Task A_recording_of_each_is_refused_where_its_own_file_is_there_already()
    {
        folder.Write("run.Worker-9.nettrace", "an incident");
        var run = await CommandRun.Of(Three(), "record", "-p", "41822,9", "-o", folder["run.nettrace"]);
        Assert.Equal(3, run.Code);
        Assert.Equal(folder["run.OrderApi-41822.nettrace"], run.Out.TrimEnd('\n'));
        Assert.Equal("an incident", File.ReadAllText(folder["run.Worker-9.nettrace"]));
    }

    [Theory]
    [InlineData("run.nettrace", "run.A_b-3.nettrace")]
    [InlineData("/a.b/run", "/a.b/run.A_b-3")]
    [InlineData("/dev/null", "/dev/null")]
    public void The_name_of_a_process_makes_no_path(string path, string named) =>
        Assert.Equal(named, ProcessFileName.For(path, new(3, "A/b", null, null, null)));

    [Fact]
    public async Task Ps_takes_those_that_were_asked_for_and_says_by_its_code_that_one_is_not_there()
    {
        var run = await CommandRun.Of(Three(), "ps", "-p", "9,12345");
        Assert.Equal(1, run.Code);
        Assert.Contains("Worker", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("OrderApi", run.Out, StringComparison.Ordinal);
        Assert.Contains("Cannot watch 12345: There is no process 12345.", run.Error, StringComparison.OrdinalIgnoreCase);
        Assert.Equal(0, (await CommandRun.Of(Three(), "ps", "-n", "OrderApi", "--check", "1s")).Code);
        Assert.Equal(1, (await CommandRun.Of(Three(refuses: 9), "ps", "--check", "1s", "-p", "9,7")).Code);
        Assert.Equal(0, (await CommandRun.Of(Three(refuses: 9), "ps", "--check", "1s")).Code);
    }

    string[] Files() => [.. Directory.GetFiles(folder.Path).Select(f => Path.GetFileName(f)!).Order(StringComparer.Ordinal)];
}
