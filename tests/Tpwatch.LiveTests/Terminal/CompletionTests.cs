using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>The Tab key in a real bash and a real zsh, with the script that the tool prints for each.</summary>
public sealed class CompletionTests : IDisposable
{
    const int Minutes = 180_000;

    readonly string folder = Directory.CreateTempSubdirectory("tpw").FullName;

    public void Dispose() => Directory.Delete(folder, recursive: true);

    [Theory(Timeout = Minutes)]
    [InlineData("bash")]
    [InlineData("zsh")]
    public async Task Tab_completes_commands_options_values_processes_and_ids(string shell)
    {
        await using var terminal = await StartAsync(shell);
        await CompletesAsync(terminal, "dotnet tpwatch repo", "dotnet tpwatch report ");
        await CompletesAsync(terminal, "dotnet-tpwatch comp", "dotnet-tpwatch comp", "compare", "completion");
        await CompletesAsync(terminal, "dotnet tpwatch report --dep", "dotnet tpwatch report --depth ");
        await CompletesAsync(terminal, "dotnet tpwatch report --depth basic,st", "dotnet tpwatch report --depth basic,stacks ");
        await CompletesAsync(terminal, "dotnet tpwatch report -p 1 --fail", "dotnet tpwatch report -p 1 --fail-on ");
        await CompletesAsync(terminal, "dotnet tpwatch rules TPW02", "dotnet tpwatch rules TPW02", "TPW020", "TPW022");

        // This process is one of them, and there may be more whose id begins as its own does.
        var own = $"{Environment.ProcessId}";
        await CompletesAsync(terminal, $"dotnet-tpwatch report -p {own[..^1]}", $"dotnet-tpwatch report -p {own[..^1]}", own);

        // Where the tool has nothing to say, the shell has its files.
        await CompletesAsync(terminal, $"dotnet tpwatch report {folder}/recor", $"dotnet tpwatch report {folder}/recording.nettrace");
    }

    [Fact(Timeout = Minutes)]
    public async Task The_other_words_of_dotnet_are_completed_as_before()
    {
        await using var terminal = await StartAsync("bash", "before() { COMPREPLY=(from-before); }; complete -F before dotnet");
        await CompletesAsync(terminal, "dotnet fr", "dotnet from-before ");
        await CompletesAsync(terminal, "dotnet tpwatch repl", "dotnet tpwatch replay ");
    }

    async Task<TmuxTerminal> StartAsync(string shell, string first = "true")
    {
        Assert.SkipUnless((Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Any(p => File.Exists(Path.Combine(p, shell))),
            $"{shell} is not installed; apt-get install {shell}");
        var tool = Path.Combine(folder, "dotnet-tpwatch");
        var cancel = TestContext.Current.CancellationToken;
        await File.WriteAllTextAsync(tool, $"#!/bin/sh\nexec '{BuiltPrograms.Host}' exec '{ToolRun.Tool}' \"$@\"\n", cancel);
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(tool, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        await File.WriteAllTextAsync(Path.Combine(folder, "recording.nettrace"), "", cancel);
        var terminal = await TmuxTerminal.StartAsync(120, 40, $"PATH={folder}:$PATH");
        if (shell == "zsh")
        {
            await terminal.EnterAsync("exec zsh -f");
            await terminal.EnterAsync("unsetopt beep; PS1='$ '; autoload -Uz compinit; compinit -u -D");
        }

        await terminal.EnterAsync($"{first}; source <(dotnet-tpwatch completion {shell}); clear; echo rea''dy");
        await terminal.WaitForAsync("ready\n");
        return terminal;
    }

    /// <summary>Types, presses Tab twice, and looks at the line and what is listed below it.</summary>
    static async Task CompletesAsync(TmuxTerminal terminal, string typed, string line, params string[] listed)
    {
        await terminal.PressAsync("C-u", "C-l");
        await terminal.TypeAsync(typed);
        await terminal.PressAsync("Tab");
        if (listed.Length > 0)
        {
            await terminal.PressAsync("Tab");
        }

        await terminal.WaitUntilAsync(
            shown => shown.Contains($"$ {line.TrimEnd()}", StringComparison.Ordinal)
                && listed.All(one => shown.Contains(one, StringComparison.Ordinal)),
            $"'{line}' and {string.Join(", ", listed)}");
    }
}
