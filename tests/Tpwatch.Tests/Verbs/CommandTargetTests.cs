using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Verbs;

/// <summary>A command after <c>--</c>, and a diagnostic port, as the verbs take them.</summary>
public sealed class CommandTargetTests
{
    [Theory]
    [InlineData("-- app")]
    [InlineData("report -- app")]
    [InlineData("record -o {temp} -- app")]
    public async Task A_command_that_ends_by_itself_lends_its_exit_code(string words)
    {
        using var folder = new TempFolder();
        var run = await CommandRun.Of(
            new FakeEngine { ChildExit = 42 }, words.Replace("{temp}", folder["x.nettrace"], StringComparison.Ordinal).Split(' '));
        Assert.Equal(42, run.Code);
        Assert.Contains("ended with code 42", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_command_that_we_end_does_not()
    {
        var run = await CommandRun.Of(new FakeEngine { ChildExit = 143, GoesOn = true }, "--duration", "2s", "--", "app");
        Assert.Equal(0, run.Code);
    }

    [Fact]
    public async Task A_code_of_ours_goes_before_the_commands()
    {
        var engine = new FakeEngine { ChildExit = 42 };
        engine.Reports[0] = engine.Reports[0] with { End = SessionEnd.StreamBroken };
        Assert.Equal(2, (await CommandRun.Of(engine, "--", "app")).Code);
    }

    [Fact]
    public async Task What_stands_after_the_two_dashes_is_the_commands_own()
    {
        var engine = new FakeEngine();
        await CommandRun.Of(
            engine, "report", "--format", "json", "--", "dotnet", "exec", "/srv/Order.Api.dll", "--format", "x", "--", "-p", "1");
        Assert.Equal(["dotnet", "exec", "/srv/Order.Api.dll", "--format", "x", "--", "-p", "1"], engine.Command!.Words);
        Assert.Equal(("Order.Api", false), (engine.Command.Name, engine.Command.ShowIo));
    }

    [Fact]
    public async Task A_report_of_a_command_lasts_until_it_ends()
    {
        var run = await CommandRun.Of("report", "--", "app");
        Assert.Contains("until the process ends", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_port_is_opened_with_its_mode_its_patience_and_its_resume()
    {
        var engine = new FakeEngine();
        Assert.Equal(0, (await CommandRun.Of(engine, "--dport", "/run/p,listen", "--timeout", "7s", "--resume-runtime", "false")).Code);
        Assert.Equal(new PortAddress("/run/p", PortMode.Listen) { ResumeRuntime = false }, engine.Port);
        Assert.Equal(TimeSpan.FromSeconds(7), engine.Timeout);
        Assert.Equal(0, (await CommandRun.Of(engine, "report", "--diagnostic-port", "/run/p,connect")).Code);
        Assert.Equal(new PortAddress("/run/p", PortMode.Connect), engine.Port);
    }

    [Theory]
    [InlineData("--", "No command was given.")]
    [InlineData("-- dotnet run", "'dotnet run' starts the SDK, which runs the program as a child process.")]
    [InlineData("report -- dotnet test", "'dotnet test' starts the SDK, which runs the program as a child process.")]
    [InlineData("-p 1 -- app", "Two targets were given, -p and --.")]
    [InlineData("-n x --dport /run/p", "Two targets were given, -n and --dport.")]
    [InlineData("-p 1 -n x -- app", "Several targets were given, -p and -n and --.")]
    [InlineData("report x.nettrace -- app", "A file and a process were both given.")]
    [InlineData("ps -- app", "'ps' cannot launch a program.")]
    [InlineData("replay x.nettrace -- app", "'replay' cannot launch a program.")]
    [InlineData("-p 1 --show-child-io", "--show-child-io needs a command to launch.")]
    [InlineData("-p 1 --resume-runtime false", "--resume-runtime needs --dport.")]
    [InlineData("--dport /run/p --resume-runtime maybe", "'maybe' is not a value of --resume-runtime.")]
    [InlineData("--dport /run/p,suspend", "'suspend' is not a mode of a diagnostic port.")]
    [InlineData("--wait -- app", "--timeout needs --wait or --dport, and --wait needs -n or --dport.")]
    [InlineData("--timeout 3s -- app", "--timeout needs --wait or --dport, and --wait needs -n or --dport.")]
    public async Task Mistakes_are_code_3_and_start_nothing(string words, string sentence)
    {
        var engine = new FakeEngine();
        var run = await CommandRun.Of(engine, words.Split(' '));
        Assert.Equal($"tpwatch: {sentence}", run.ErrorLines[0]);
        Assert.Equal((3, 2), (run.Code, run.ErrorLines.Length));
        Assert.Null(engine.Command);
        Assert.Null(engine.Port);
    }
}
