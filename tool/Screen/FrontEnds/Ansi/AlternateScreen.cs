namespace Tpwatch.Screen.FrontEnds.Ansi;

/// <summary>
/// The second screen of the terminal, with the cursor hidden and no wrapping at the right edge. Leaving is idempotent and is tried by
/// every way out: the end of the run, the end of the process, an exception that nobody catches; so that the text of a crash lands on
/// the normal screen.
/// </summary>
sealed class AlternateScreen : IDisposable
{
    const string EnterSequence = "\e[?1049h\e[?25l\e[?7l\e[0m\e[2J";

    // The last two switch the keypad back, which .NET's console switches on and leaves on.
    const string LeaveSequence = "\e[0m\e[?7h\e[?25h\e[?1049l\e[?1l\e>";

    /// <summary>Longest wait for a terminal that takes no output, at the end of the process.</summary>
    static readonly TimeSpan LastWords = TimeSpan.FromMilliseconds(500);

    // Of a library that draws: mouse reports as well, which ours never asks for.
    const string LeaveLibrarySequence = "\e[?1000l\e[?1002l\e[?1003l\e[?1006l\e[?1015l\e[?2004l" + LeaveSequence;

    readonly TerminalOutput output;
    readonly TerminalModes before = TerminalModes.Current();
    readonly string enter;
    readonly string leave;
    int entered;

    public AlternateScreen(TerminalOutput output)
        : this(output, EnterSequence, LeaveSequence)
    {
    }

    AlternateScreen(TerminalOutput output, string enter, string leave)
    {
        (this.output, this.enter, this.leave) = (output, enter, leave);
        AppDomain.CurrentDomain.ProcessExit += OnEnd;
        AppDomain.CurrentDomain.UnhandledException += OnEnd;
    }

    /// <summary>One that a library enters, and leaves in good order; it is left once more in case it could not.</summary>
    public static AlternateScreen OfLibrary(TerminalOutput output)
    {
        var screen = new AlternateScreen(output, "", LeaveLibrarySequence);
        screen.Enter();
        return screen;
    }

    /// <summary>Whether the terminal took it.</summary>
    public bool Enter() => Interlocked.Exchange(ref entered, 1) == 1 || output.Write(enter);

    public void Leave()
    {
        if (Interlocked.Exchange(ref entered, 0) == 1)
        {
            output.Write(leave);
            before.Apply();
        }
    }

    public void Dispose()
    {
        Leave();
        AppDomain.CurrentDomain.ProcessExit -= OnEnd;
        AppDomain.CurrentDomain.UnhandledException -= OnEnd;
    }

    // On a thread of its own: the terminal may be stopped (Ctrl+S) and the write with it, and the process must still end.
    void OnEnd(object? sender, EventArgs e)
    {
        var last = new Thread(Leave) { IsBackground = true, Name = "leave screen" };
        last.Start();
        last.Join(LastWords);
    }
}
