namespace Tpwatch.Tests.Verbs;

/// <summary>What a shell is answered that asks what may come next, and the scripts by which it asks.</summary>
public sealed class CompletionTests
{
    [Theory]
    [InlineData(" rep", "report replay")]
    [InlineData("  rep", "report replay")]
    [InlineData(" report --dep", "--depth")]
    [InlineData(" report --depth st", "stacks")]
    [InlineData(" report --depth basic,S", "basic,stacks")]
    [InlineData(" report --format js", "json")]
    [InlineData(" report -p 1 --fail", "--fail-on")]
    [InlineData(" report --wait --fail", "--fail-on")]
    [InlineData(" report --fail-on starvation,tpw02", "starvation,TPW020 starvation,TPW021 starvation,TPW022")]
    [InlineData(" rules TPW02", "TPW020 TPW021 TPW022")]
    [InlineData(" report -p ", "41822")]
    [InlineData(" report -p 5,4", "5,41822")]
    [InlineData(" serve --except ", "OrderApi")]
    [InlineData(" completion ", "bash zsh fish pwsh")]
    [InlineData(" compare x y --fail-on ", "worse")]
    // A file, a directory, a program behind "--": the shell knows better.
    [InlineData(" report inci", "")]
    [InlineData(" report -o ", "")]
    [InlineData(" report -- dotnet --de", "")]
    public async Task What_may_come_next_is_answered_a_line_each(string line, string words)
    {
        var engine = new FakeEngine();
        // One that nobody may attach to, and one whose name a shell would read as more than a name.
        engine.Processes.Add(new(7, "Closed", null, null, null, "it belongs to another user"));
        engine.Processes.Add(new(60, "x;reboot\t$(y)", null, null, null));
        var run = await CommandRun.Of(engine, $"[suggest:{line.Length}]", line);
        Assert.Equal((0, ""), (run.Code, run.Error));
        var answered = run.Out.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(one => one.Split('\t')[0]);
        Assert.Equal(words, string.Join(' ', answered.Where(one => one != "60" && one != "5,60")));
    }

    [Fact]
    public async Task A_process_has_its_name_behind_it_and_an_option_what_it_is_for()
    {
        Assert.Equal("41822\tOrderApi\n", (await CommandRun.Of("[suggest]", " report -p ")).Out);
        Assert.Equal("--verbose\tWrite every detail as text, not only what to act on.\n",
            (await CommandRun.Of("[suggest]", " report --verb")).Out);
        Assert.Contains("ps\t", (await CommandRun.Of("[suggest]")).Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("bash", "complete -o default -F _tpwatch dotnet-tpwatch")]
    [InlineData("zsh", "#compdef dotnet-tpwatch")]
    [InlineData("fish", "complete -c dotnet-tpwatch")]
    [InlineData("pwsh", "Register-ArgumentCompleter -Native")]
    public async Task Each_shell_has_its_script(string shell, string holds)
    {
        var run = await CommandRun.Of("completion", shell);
        Assert.Equal((0, ""), (run.Code, run.Error));
        Assert.Contains(holds, run.Out, StringComparison.Ordinal);
        Assert.Contains("[suggest:", run.Out, StringComparison.Ordinal);
        Assert.Contains($"tpwatch completion {shell}", run.Out, StringComparison.Ordinal);
    }
}
