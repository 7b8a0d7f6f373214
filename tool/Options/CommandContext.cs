using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>Everything outside the program that a command uses; created once in <c>Program.cs</c>, from fakes in tests.</summary>
/// <param name="Engine">Finds processes, attaches to them, replays recordings.</param>
/// <param name="Out">Receives results, nothing else.</param>
/// <param name="Error">Receives notes and errors.</param>
/// <param name="Terminal">The terminal that the output goes to, if any.</param>
/// <param name="Time">The clock for all waits and time limits.</param>
/// <param name="Stop">Cancelled by the first Ctrl+C, SIGTERM or SIGHUP.</param>
sealed record CommandContext(
    IEngine Engine, TextWriter Out, TextWriter Error, TerminalFacts Terminal, TimeProvider Time, CancellationToken Stop)
{
    /// <summary>The words after <c>--</c> on the command line: a program to start; null when there is no <c>--</c>.</summary>
    public IReadOnlyList<string>? Command { get; init; }

    /// <summary>The process that notes are prefixed with if several are watched; null if there is only one.</summary>
    public string? About { get; init; }

    /// <summary>Shows the screen; null if there is none, and lines are printed instead.</summary>
    public ShowScreen? Screen { get; init; }

    /// <summary>Shows on the screen that tpwatch waits for a process; null if there is no screen, and a note says it instead.</summary>
    public ShowWaitingIn? Waiting { get; init; }

    /// <summary>Lets the user at a terminal choose a process; null if there is no terminal, and the candidates are listed.</summary>
    public PickTarget? Picker { get; init; }

    /// <summary>Writes a note to standard error: a sentence, and a hint for the user on a line of its own.</summary>
    public void Note(string sentence, string? hint = null)
    {
        try
        {
            // A name may contain a line break, and a build server interprets a line that begins with "::" as a command.
            var about = About is null ? "" : $"{About}: ";
            Error.WriteLine($"tpwatch: {about}{Sentence.Of(sentence).Replace("\n::", "\n  ::", StringComparison.Ordinal)}");
            if (hint is not null)
            {
                Error.WriteLine($"  {Sentence.Of(hint).ReplaceLineEndings("\n  ")}");
            }

            Error.Flush();
        }
        catch (IOException)
        {
            // Standard error is closed or its disk is full; results are still written.
        }
    }
}
