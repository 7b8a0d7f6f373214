using System.Diagnostics;
using System.Globalization;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Inside;

/// <summary>The tool's hidden verb that reads a process's memory once, run as a process.</summary>
static class InsideCommand
{
    /// <summary>Its own deadline is far below; a loaded machine may take its time to start it.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    /// <summary>The first exit code of a program that a signal has ended.</summary>
    const int FirstOfSignals = 128;

    /// <summary>What to start.</summary>
    public static ProcessStartInfo Start(int pid, params string[] options)
    {
        var tool = ToolRun.Tool;
        return new(BuiltPrograms.Host, ["exec", tool, "read-inside", pid.ToString(CultureInfo.InvariantCulture), .. options]);
    }

    /// <summary>Runs it, whatever comes of it; only a crash is a failure.</summary>
    public static async Task<ToolRun> RunAsync(int pid, CancellationToken cancel, params string[] options)
    {
        var run = await ToolRun.Of(Start(pid, options), Limit, cancel);
        Assert.True(run.Code is >= 0 and < FirstOfSignals, $"it crashed, code {run.Code}:\n{run.Error}");
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
        return run;
    }

    /// <summary>A reading; there must be one. As in the tool, one that has crashed is begun once more.</summary>
    public static async Task<SeenInside> ReadAsync(int pid, CancellationToken cancel, params string[] options)
    {
        var run = await ToolRun.Of(Start(pid, options), Limit, cancel);
        if (run.Code >= FirstOfSignals)
        {
            TestContext.Current.TestOutputHelper?.WriteLine($"a reading crashed, code {run.Code}");
            run = await RunAsync(pid, cancel, options);
        }

        Assert.True(run.Code == 0, $"code {run.Code}:\n{run.Error}");
        return SeenInside.Parse(run.Out);
    }

    /// <summary>No reading, and one sentence that says why.</summary>
    public static void IsRefusal(ToolRun run)
    {
        Assert.NotEqual(0, run.Code);
        Assert.Empty(run.Out);
        Assert.DoesNotContain("no command", run.Error, StringComparison.Ordinal);
        // A hint may stand below it.
        Assert.InRange(run.Error.TrimEnd('\n').Split('\n').Length, 1, 2);
        Assert.Matches(@"^[^\n]{10,}\.(\n|$)", run.Error);
    }
}
