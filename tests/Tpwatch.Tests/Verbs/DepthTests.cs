using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Run;

namespace Tpwatch.Tests.Verbs;

/// <summary>What each verb switches on in the target where nothing is said, and how that is declined.</summary>
public sealed class DepthTests
{
    [Theory]
    [InlineData(CaptureDepth.Auto, "report", "-p", "41822", "--duration", "1s")]
    [InlineData(CaptureDepth.Basic, "report", "-p", "41822", "--duration", "1s", "--depth", "basic")]
    [InlineData(CaptureDepth.Stacks, "report", "-p", "41822", "--duration", "1s", "--depth", "stacks")]
    [InlineData(CaptureDepth.Inside, "report", "-p", "41822", "--duration", "1s", "--depth", "inside")]
    [InlineData(CaptureDepth.Inside | CaptureDepth.Requests, "report", "-p", "41822", "--duration", "1s", "--depth", "requests,inside")]
    [InlineData(CaptureDepth.Auto, "report", "-p", "41822", "--duration", "1s", "--no-inside")]
    [InlineData(CaptureDepth.Auto, "ps", "--check", "1s")]
    [InlineData(CaptureDepth.Auto, "ps", "--check", "1s", "--no-inside")]
    [InlineData(CaptureDepth.Basic, "ps", "--check", "1s", "--depth", "basic")]
    [InlineData(CaptureDepth.Basic, "-p", "41822", "--duration", "1s")]
    [InlineData(CaptureDepth.Auto, "-p", "41822", "--duration", "1s", "--depth", "AUTO")]
    [InlineData(CaptureDepth.Basic, "whatif", "-p", "41822", "--duration", "1s", "--min", "20")]
    public async Task A_report_and_a_check_take_stacks_by_themselves_and_a_watch_does_not(CaptureDepth depth, params string[] words)
    {
        var engine = new FakeEngine { GoesOn = true };
        await CommandRun.Of(engine, words);
        Assert.Equal(depth, engine.Options!.Depth);
    }

    [Theory]
    [InlineData("report", "-p", "41822", "--duration", "1s", "--depth", "inside")]
    [InlineData("serve", "--listen", "127.0.0.1:0", "--allow-inside")]
    public async Task Reading_memory_is_not_asked_for_and_forbidden_at_once(params string[] words)
    {
        var run = await CommandRun.Of(new FakeEngine(), [.. words, "--no-inside"]);
        Assert.Equal(3, run.Code);
        Assert.Contains("--no-inside forbids that", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void The_tool_starts_itself_by_its_own_file_or_by_the_host_that_runs_it()
    {
        Assert.Equal(("/tools/dotnet-tpwatch", ""), Parts(OwnProgram.Of("/tools/dotnet-tpwatch", isTool: true, "/tools/store")));
        Assert.Equal(("/usr/bin/dotnet", "exec /tools/store/dotnet-tpwatch.dll"),
            Parts(OwnProgram.Of("/usr/bin/dotnet", isTool: true, "/tools/store")));
        Assert.Null(OwnProgram.Of("/usr/bin/other", isTool: false, "/"));
        Assert.Null(OwnProgram.Of(null, isTool: true, "/"));

        static (string, string) Parts(LaunchSpec? program) => (program!.File, string.Join(' ', program.Words));
    }

    [Theory]
    [InlineData("report", "Default: auto.")]
    [InlineData("ps", "Default: auto.")]
    [InlineData("record", "Default: basic.")]
    public async Task The_help_tells_the_default_and_the_topic_the_price(string verb, string said)
    {
        Assert.Contains($"What to measure; see dotnet tpwatch help depth. {said}\n", (await CommandRun.Of(verb, "--help")).Out,
            StringComparison.Ordinal);
        var printed = (await CommandRun.Of("help", "depth")).Out;
        var help = string.Join(' ', printed.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains(
            "tpwatch takes at most three bursts of stacks. With up to 65 threads, each burst pauses the process for about 30 ms in total. "
                + "With hundreds of threads, the pause is hardly longer. tpwatch does not pause a process that looks healthy.",
            help, StringComparison.Ordinal);
    }
}
