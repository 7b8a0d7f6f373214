using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>Everything of the world that a verb touches; made once in <c>Program.cs</c>, made of fakes in tests.</summary>
/// <param name="Engine">Finds, attaches, replays.</param>
/// <param name="Out">Results, nothing else.</param>
/// <param name="Error">Everything else that is said.</param>
/// <param name="Terminal">What the output goes to.</param>
/// <param name="Time">Paces and bounds waits.</param>
/// <param name="Stop">Cancelled by the first Ctrl+C, SIGTERM or SIGHUP.</param>
sealed record CommandContext(
    IEngine Engine, TextWriter Out, TextWriter Error, TerminalFacts Terminal, TimeProvider Time, CancellationToken Stop)
{
    /// <summary>What stands after <c>--</c> on the command line: a program to start; null when there is no <c>--</c>.</summary>
    public IReadOnlyList<string>? Command { get; init; }

    /// <summary>The process that everything said is about, where there are several; null where there is one.</summary>
    public string? About { get; init; }

    /// <summary>Shows the screen; null where there is none, and lines are printed instead.</summary>
    public ShowScreen? Screen { get; init; }

    /// <summary>Shows that a process is waited for; null where there is no screen, and a note says so instead.</summary>
    public ShowWaitingIn? Waiting { get; init; }

    /// <summary>Lets somebody at a terminal choose a process; null where there is none, and the candidates are listed instead.</summary>
    public PickTarget? Picker { get; init; }

    /// <summary>Says something that is no result: a sentence, and what one can do about it on a line of its own.</summary>
    public void Note(string sentence, string? hint = null)
    {
        try
        {
            // A name may hold a line break, and a build server takes what stands behind it for a command.
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
            // Nobody listens (closed, or a full disk behind it); results still go where they belong.
        }
    }
}
