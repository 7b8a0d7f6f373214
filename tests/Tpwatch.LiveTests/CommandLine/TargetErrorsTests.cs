using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.LiveTests.CommandLine;

/// <summary>Processes that cannot be watched: code 1 and the reason.</summary>
public sealed class TargetErrorsTests
{
    const int TestLimit = 90_000;

    [Theory(Timeout = TestLimit)]
    [InlineData("")]
    [InlineData("report")]
    [InlineData("record")]
    public async Task No_such_process(string verb)
    {
        var run = await ToolRun.Of([.. verb.Split(' ', StringSplitOptions.RemoveEmptyEntries), "-p", "2000000000"]);
        run.IsFailure(1, "no process 2000000000");
    }

    [Fact(Timeout = TestLimit)]
    public async Task No_process_of_that_name() => (await ToolRun.Of("-n", "no-such-program")).IsFailure(1, "no-such-program");

    [Fact(Timeout = TestLimit)]
    public async Task Not_a_dotnet_process()
    {
        using var sleep = Process.Start("sleep", "60");
        try
        {
            (await ToolRun.Of("-p", Pid(sleep.Id))).IsFailure(1, "not a .NET process");
        }
        finally
        {
            sleep.Kill();
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Several_processes_of_one_name_are_listed()
    {
        await using var one = await Fixture.StartAsync();
        await using var two = await Fixture.StartAsync();
        var run = await ToolRun.Of("-n", "Tpwatch.Fixtures");
        Assert.Equal(3, run.Code);
        Assert.Contains(Pid(one.Pid), run.Error, StringComparison.Ordinal);
        Assert.Contains(Pid(two.Pid), run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Diagnostics_are_disabled_in_the_target()
    {
        await using var fixture = await Fixture.StartAsync("steady", ("DOTNET_EnableDiagnostics", "0"));
        (await ToolRun.Of("-p", Pid(fixture.Pid))).IsFailure(1, "diagnostics are disabled");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Another_users_process()
    {
        Assert.SkipUnless(
            Environment.UserName == "root" && File.Exists("/usr/bin/setpriv"), "needs root and setpriv to become somebody else");
        Assert.SkipUnless(await NobodyCanRunTheTool(), "the build's folder is closed to other users");
        await using var fixture = await Fixture.StartAsync();
        (await ToolRun.AsNobody("-p", Pid(fixture.Pid))).IsFailure(1, "runs as user root");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Ps_shows_a_fixture()
    {
        await using var fixture = await Fixture.StartAsync();
        var run = await ToolRun.Of("ps");
        Assert.Equal(0, run.Code);
        Assert.Contains(
            run.Out.Split('\n'), l => l.TrimStart().StartsWith($"{Pid(fixture.Pid)}  Tpwatch.Fixtures", StringComparison.Ordinal));
    }

    static async Task<bool> NobodyCanRunTheTool() => (await ToolRun.AsNobody("--version")).Code == 0;

    static string Pid(int pid) => pid.ToString(CultureInfo.InvariantCulture);
}
