using Tpwatch.Run;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Verbs;

public sealed class ProgressBarTests
{
    [Fact]
    public async Task Reading_that_takes_time_shows_how_far_it_is_and_leaves_nothing_behind()
    {
        var said = await ReadAsync(new TerminalFacts(IsInteractive: true, 80) { IsErrorSeen = true });
        Assert.Contains("\rreading [############..................] 42%", said, StringComparison.Ordinal);
        var last = said.Split('\r')[^2];
        Assert.True(last.Length > 0 && last.All(c => c == ' '), $"'{last}' stays on the line");
    }

    [Fact]
    public async Task A_log_gets_no_bar() =>
        Assert.DoesNotContain("reading", await ReadAsync(TerminalFacts.None), StringComparison.Ordinal);

    static async Task<string> ReadAsync(TerminalFacts terminal)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        var engine = new FakeEngine { GoesOn = true, Progress = 0.42 };
        var time = new QuickTime();
        var running = CommandRun.Of(
            engine, c => c with { Terminal = terminal, Stop = stop.Token, Time = time }, "report", TestRecordings.File("trickle"));
        while (time.GetElapsedTime(0) < TimeSpan.FromSeconds(2))
        {
            await Task.Delay(1, TestContext.Current.CancellationToken);
        }

        await stop.CancelAsync();
        return (await running).Error;
    }
}
