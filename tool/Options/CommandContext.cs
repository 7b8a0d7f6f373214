using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>Engine, streams, terminal and clock of one run; created once in <c>Program.cs</c>, and from fakes in tests.</summary>
/// <param name="Engine">Finds processes, attaches to processes, and replays recordings.</param>
/// <param name="Out">Receives results and nothing else.</param>
/// <param name="Error">Receives notes and errors.</param>
/// <param name="Terminal">Properties of the terminal that the output goes to, or of a missing terminal.</param>
/// <param name="Time">The clock for all waits and time limits.</param>
/// <param name="Stop">Token that the first Ctrl+C, Ctrl+\, SIGTERM or SIGHUP cancels.</param>
sealed record CommandContext(
    IEngine Engine, TextWriter Out, TextWriter Error, TerminalFacts Terminal, TimeProvider Time, CancellationToken Stop)
{
    /// <summary>The words after <c>--</c> on the command line, which name a program to launch; null without <c>--</c>.</summary>
    public IReadOnlyList<string>? Command { get; init; }

    /// <summary>Name of the process, written before each note if tpwatch watches several processes; null if it watches one.</summary>
    public string? About { get; init; }

    /// <summary>Callback that shows the screen; null if no screen is available, and the command prints lines instead.</summary>
    public ShowScreen? Screen { get; init; }

    /// <summary>Callback that shows the wait for a process on the screen; null if there is no screen, and a note is written.</summary>
    public ShowWaitingIn? Waiting { get; init; }

    /// <summary>Callback that lets the user choose a process; null if there is no terminal, and the command lists the processes.</summary>
    public PickTarget? Picker { get; init; }

    /// <summary>Writes a note to standard error: one sentence, and below it an optional hint for the user.</summary>
    public void Note(string sentence, string? hint = null)
    {
        try
        {
            // A process name may contain a line break, and a build server interprets a line that begins with "::" as a command.
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
            // Standard error is closed or its disk is full. The note is lost, but results are still written.
        }
    }
}
