namespace Tpwatch.Screen;

/// <summary>
/// The terminal's second screen, which the library enters, and leaves in good order. It is left once more, by every way out: the end of the
/// run, the end of the process, an exception that is not caught; so that the text of a crash lands on the normal screen. The library by
/// itself goes on drawing over that text, and leaves the keypad mode behind that .NET's console switches on (2.5.0).
/// </summary>
sealed class AlternateScreen : IDisposable
{
    const string MouseOff = "\e[?1000l\e[?1002l\e[?1003l\e[?1006l\e[?1015l";
    const string MouseOn = "\e[?1003h\e[?1015h\e[?1006h";
    const string PasteOff = "\e[?2004l";
    const string PasteOn = "\e[?2004h";

    // Look, line wrap, cursor, screen, and the keypad.
    const string LeaveSequence = MouseOff + PasteOff + "\e[0m\e[?7h\e[?25h\e[?1049l" + KeypadOff;
    const string KeypadOff = "\e[?1l\e>";
    const string EnterSequence = "\e[?1049h\e[2J\e[?25l" + PasteOn;

    /// <summary>Longest wait for a terminal that takes no output, at the end of the process.</summary>
    static readonly TimeSpan LastWords = TimeSpan.FromMilliseconds(500);

    /// <summary>Longest wait for a frame that is being drawn when the process ends.</summary>
    static readonly TimeSpan LastFrame = TimeSpan.FromMilliseconds(200);

    readonly TerminalOutput output;
    readonly bool mouse;
    readonly TerminalModes before = TerminalModes.Current();
    readonly ManualResetEvent parked = new(false);
    volatile bool ending;
    int entered = 1;

    /// <param name="output">The terminal.</param>
    /// <param name="mouse">Whether the mouse is the screen's; else the terminal's own selection works.</param>
    public AlternateScreen(TerminalOutput output, bool mouse)
    {
        (this.output, this.mouse) = (output, mouse);
        AppDomain.CurrentDomain.ProcessExit += OnEnd;
        AppDomain.CurrentDomain.UnhandledException += OnEnd;
    }

    /// <summary>Whether there was a terminal in the beginning.</summary>
    public bool HadTerminal => before.AreKnown;

    /// <summary>Gives the mouse back to the terminal, if it is not wanted; the library has asked for it by then.</summary>
    public void SetMouse()
    {
        if (!mouse)
        {
            output.Write(MouseOff);
        }
    }

    /// <summary>Called before each frame by the thread that draws: while the process ends it draws no more.</summary>
    public void BeforeFrame()
    {
        if (ending)
        {
            parked.Set();
            Thread.Sleep(Timeout.Infinite);
        }
    }

    /// <summary>Enters it again after the process was stopped.</summary>
    public void Enter()
    {
        if (Interlocked.Exchange(ref entered, 1) == 0)
        {
            output.Write(EnterSequence + (mouse ? MouseOn : ""));
        }
    }

    /// <summary>Leaves it; the shell gets its modes back.</summary>
    public void Leave()
    {
        if (Interlocked.Exchange(ref entered, 0) == 1)
        {
            output.Write(LeaveSequence);
            before.Apply();
        }
    }

    public void Dispose()
    {
        if (entered == 0)
        {
            // Killed while stopped. A .NET host that is continued with us, for `dotnet tpwatch`, switches the keypad mode on once more.
            output.Write(KeypadOff);
        }

        Leave();
        AppDomain.CurrentDomain.ProcessExit -= OnEnd;
        AppDomain.CurrentDomain.UnhandledException -= OnEnd;
        parked.Dispose();
    }

    // On a thread of its own: the terminal may be stopped (Ctrl+S) and the write with it, and the process must still end.
    void OnEnd(object? sender, EventArgs e)
    {
        ending = true;
        parked.WaitOne(LastFrame);
        var last = new Thread(Leave) { IsBackground = true, Name = "leave screen" };
        last.Start();
        last.Join(LastWords);
    }
}
