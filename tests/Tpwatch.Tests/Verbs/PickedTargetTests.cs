using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Tests.Verbs;

/// <summary>When a process is chosen on a screen, and what follows from it.</summary>
public sealed class PickedTargetTests
{
    static readonly TerminalFacts Interactive = new(IsInteractive: true, Width: 80);

    readonly FakeEngine engine = new();
    int asked;

    [Theory]
    [InlineData("report --duration 1s")]
    [InlineData("")]
    public async Task In_a_terminal_one_is_chosen_and_attached_to(string words)
    {
        var run = await RunAsync(FakeEngine.OrderApi, words);
        Assert.Equal((0, 1), (run.Code, asked));
        Assert.NotNull(engine.Watch);
    }

    [Fact]
    public async Task Who_chooses_none_gets_a_sentence_and_no_session()
    {
        var run = await RunAsync(null, "");
        Assert.Equal((3, "tpwatch: No process was chosen."), (run.Code, run.ErrorLines[0]));
        Assert.Null(engine.Watch);
    }

    [Theory]
    [InlineData("--plain")]
    [InlineData("-p 41822")]
    public async Task Nobody_is_asked_who_wants_lines_or_named_one(string words)
    {
        await RunAsync(FakeEngine.OrderApi, words);
        Assert.Equal(0, asked);
    }

    [Fact]
    public async Task Without_a_terminal_the_candidates_are_listed()
    {
        var run = await CommandRun.Of(engine, c => c with { Picker = PickAsync }, []);
        Assert.Equal((3, 0), (run.Code, asked));
        Assert.Contains("41822", run.Error, StringComparison.Ordinal);
    }

    Task<CommandRun> RunAsync(ProcessRow? chosen, string words) => CommandRun.Of(
        engine, c => c with { Terminal = Interactive, Picker = (_, _, _) => PickAsync(chosen) },
        words.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    Task<ProcessRow?> PickAsync(IEngine from, ScreenAppearance request, CancellationToken stop) => PickAsync(null);

    Task<ProcessRow?> PickAsync(ProcessRow? chosen)
    {
        asked++;
        return Task.FromResult(chosen);
    }
}
