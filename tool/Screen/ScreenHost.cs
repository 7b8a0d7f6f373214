using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;
using System.Text;
using Terminal.Gui.App;
using Terminal.Gui.Drivers;
using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;

namespace Tpwatch.Screen;

/// <summary>A window, and what happens at each tick of it.</summary>
/// <param name="Window">The window.</param>
/// <param name="Tick">Looks for news.</param>
sealed record HostedWindow(Runnable Window, Action Tick)
{
    /// <summary>Tells the host how to put a text on the user's clipboard; null where nothing is copied.</summary>
    public Action<Action<string>>? Copies { get; init; }

    /// <summary>Tells the host how to write the whole screen anew, whatever the terminal shows; null where nobody asks for it.</summary>
    public Action<Action>? Redraws { get; init; }
}

/// <summary>
/// Runs a window of the library in this process's terminal, on a thread of its own, and gives the terminal back as it was. What the library
/// lacks for that is here, each with the fault it answers; docs/terminal-gui.md lists them.
/// </summary>
sealed class ScreenHost : IDisposable
{
    /// <summary>The library waits for its reader of keys, which does not end where the terminal is gone (2.5.0).</summary>
    static readonly TimeSpan DisposeLimit = TimeSpan.FromSeconds(1);

    /// <summary>Until a host that was continued with us has most likely set its modes; a tick later they are looked at once more.</summary>
    static readonly TimeSpan StarterModes = TimeSpan.FromMilliseconds(30);

    static readonly TimeSpan DisposeLook = TimeSpan.FromMilliseconds(10);

    /// <summary>
    /// The library's queue of typed characters has no bound (2.5.0). While more than these wait, keys do nothing: of a paste by mistake
    /// only the end counts, and the last key, which may be the one that quits, is served soon. The queue itself is left alone: a part of a
    /// sequence, or of a paste that the terminal has marked as such, would be read as keys.
    /// </summary>
    const int MostTyped = 100;

    /// <summary>Keys that the library binds for every application: to quit, to stop, to draw anew, to move a window.</summary>
    static readonly ImmutableArray<Key> NotTheLibrarys = [Key.Esc, Key.Z.WithCtrl, Key.F5, Key.F5.WithCtrl, Key.Q.WithCtrl];

    readonly HostOptions options;
    readonly CancellationToken stop;
    readonly TerminalOutput output = new();
    readonly ChangedCells changed;
    readonly Waker waker = new();
    readonly Pace pace;
    readonly Suspension suspension;
    readonly AlternateScreen screen;
    readonly IApplication app;
    Task? resuming;
    long ticked;
    bool cursorShown;

    /// <summary>The terminal's modes since <c>fg</c>; null when the process was never stopped.</summary>
    TerminalModes? resumed;

    ScreenHost(HostOptions options, CancellationToken stop)
    {
        (this.options, this.stop) = (options, stop);
        changed = new(options.Glyphs);
        suspension = new(waker);
        // Before the library changes anything.
        screen = new(output, options.Mouse);
        // By default the library asks the terminal for its size, and tmux 3.3a answers with width and height swapped.
        Driver.SizeDetection = SizeDetectionMode.Polling;
        pace = new(waker);
        app = pace.Create();
    }

    /// <summary>
    /// Shows a window until it asks to stop, <paramref name="stop"/> is set, or the terminal is gone; all of these are an orderly end. The
    /// terminal is as it was before when the task completes; it fails with what failed.
    /// </summary>
    public static Task RunAsync(Func<HostedWindow> make, HostOptions options, CancellationToken stop)
    {
        var shown = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        // Reading keys and drawing must go on whatever our own pool does.
        new Thread(() => Run(make, options, shown, stop)) { Name = "tpwatch screen" }.Start();
        return shown.Task;
    }

    /// <summary>Whether there is a terminal on both sides that could show a screen.</summary>
    public static bool IsPossible(Func<string, string?> environment) =>
        !Console.IsInputRedirected && !Console.IsOutputRedirected && environment("TERM") != "dumb"
        && (OperatingSystem.IsWindows() || !string.IsNullOrEmpty(environment("TERM")));

    static void Run(Func<HostedWindow> make, HostOptions options, TaskCompletionSource shown, CancellationToken stop)
    {
#pragma warning disable CA1031 // the failure belongs to the code that awaits the screen; the terminal has been reset by then
        try
        {
            using (var host = new ScreenHost(options, stop))
            {
                host.Show(make());
            }

            shown.SetResult();
        }
        catch (Exception e)
        {
            shown.SetException(e);
        }
#pragma warning restore CA1031
    }

    void Show(HostedWindow hosted)
    {
        try
        {
            app.Init("ansi");
            screen.SetMouse();
            Driver.Force16Colors = options.HasSixteenColors;
            // Polling alone shows nothing before the first change of size (2.5.0).
            app.Driver!.SetScreenSize(Console.WindowWidth, Console.WindowHeight);
            Prepare(app, changed, suspension.Request);
            using var slow = new SlowTerminal(app, options.Time, stop);
            app.Iteration += (_, _) =>
            {
                pace.AwaitNews(options.Time, options.Tick - options.Time.GetElapsedTime(ticked));
                BeforeFrame();
                slow.Begin();
            };
            app.LayoutAndDrawComplete += (_, _) =>
            {
                slow.End();
                pace.Start();
            };
            hosted.Copies?.Invoke(text => app.Driver?.WriteRaw(Osc52.Of(text)));
            hosted.Redraws?.Invoke(Redraw);
            app.AddTimeout(options.Tick, () => Tick(hosted));
            using var stopped = stop.Register(() => app.Invoke(() => Quit(app)));
            using var window = hosted.Window;
            // Otherwise the first frame would say for a tick that nothing has come yet.
            hosted.Tick();
            app.Run(window);
        }
        catch (IOException) when (screen.HadTerminal && !TerminalModes.Current().AreKnown)
        {
            // The terminal's window was closed: an end like any other.
        }
    }

    /// <summary>Makes an application of the library ours: its keys, and what it writes.</summary>
    /// <param name="app">The application, initialised.</param>
    /// <param name="changed">What the terminal shows.</param>
    /// <param name="suspend">Stops the process for the shell.</param>
    public static void Prepare(IApplication app, ChangedCells changed, Action suspend)
    {
        foreach (var key in NotTheLibrarys)
        {
            app.Keyboard.KeyBindings.Remove(key);
        }

        app.Keyboard.KeyDown += (_, key) => OnKey(app, key, suspend);
        app.SessionBegun += (_, e) =>
        {
            if (e.State.Runnable is View view)
            {
                view.DrawComplete += (_, _) => IfDriven(app, changed.Reduce);
            }
        };
        app.LayoutAndDrawComplete += (_, _) => IfDriven(app, changed.Written);
    }

    static void IfDriven(IApplication app, Action<IDriver> act)
    {
        if (app.Driver is { } driver)
        {
            act(driver);
        }
    }

    /// <summary>Ends a run: it is that of the first window, and dialogs above it end with it.</summary>
    public static void Quit(IApplication app)
    {
        while (app.SessionStack is { Count: > 1 } stack && stack.TryPeek(out var dialog))
        {
            app.End(dialog);
        }

        app.RequestStop();
    }

    bool Tick(HostedWindow hosted)
    {
        ticked = options.Time.GetTimestamp();
        var modes = TerminalModes.Current();
        if (stop.IsCancellationRequested || screen.HadTerminal && !modes.AreKnown)
        {
            Quit(app);
            return false;
        }

        resumed?.Keep(modes);

        if (suspension.Requested)
        {
            Suspend();
        }

        if (resuming?.Exception is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure.InnerExceptions[0]);
        }

        hosted.Tick();
        return true;
    }

    void BeforeFrame()
    {
        screen.BeforeFrame();
        // The library hides the cursor anew before every frame (2.5.0), which is bytes for nothing.
        var shows = app.TopRunnableView?.MostFocused is TextField;
        if (!shows && !cursorShown)
        {
            app.Driver?.SetCursorNeedsUpdate(false);
        }

        cursorShown = shows;
    }

    static void OnKey(IApplication app, Key key, Action suspend)
    {
        if (key == Key.C.WithCtrl || key == Key.D.WithCtrl)
        {
            key.Handled = true;
            Quit(app);
        }
        else if (key == Key.Z.WithCtrl)
        {
            // In raw mode it comes as a key.
            key.Handled = true;
            suspend();
        }
        else if (TypedKeys.Of(app)?.Count > MostTyped)
        {
            key.Handled = true;
        }
        else if (key.IsAlt)
        {
            // Esc right before another key is one key with Alt to the library (2.5.0); no key of ours has Alt.
            key.Handled = true;
            app.Keyboard.RaiseKeyDownEvent(Key.Esc);
            // Not NoAlt: the copy would be taken as handled, too.
            app.Keyboard.RaiseKeyDownEvent(new Key(key.KeyCode & ~KeyCode.AltMask));
        }
    }

    void Redraw()
    {
        changed.Forget();
        app.ClearScreenNextIteration = true;
    }

    // The library's own way starts a program, leaves the keypad mode on, and stops the whole group (2.5.0).
    void Suspend()
    {
        EndSession();
        var modes = resumed ?? TerminalModes.Current();
        screen.Leave();
        suspension.Stop();
        suspension.WaitForForeground(stop);
        if (stop.IsCancellationRequested)
        {
            Quit(app);
            return;
        }

        // Where `dotnet tpwatch` is two processes, the host sets the modes of its own when it goes on, at about the same time.
        if (Libc.StarterRuns())
        {
            Thread.Sleep(StarterModes);
        }

        modes.Apply();
        resumed = modes;
        screen.Enter();
        Redraw();
        resuming = options.AfterResume?.Invoke(stop);
    }

    // The hook gets a token and a limit; whether it keeps to them or not, the user gets the shell.
    void EndSession()
    {
        if (options.BeforeSuspend is not { } hook)
        {
            return;
        }

        using var limit = new CancellationTokenSource(HostOptions.SuspendLimit, options.Time);
        var ending = hook(limit.Token);
        while (!ending.IsCompleted && !limit.IsCancellationRequested)
        {
            waker.WaitOne(options.Tick);
        }

        if (ending.Exception is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure.InnerExceptions[0]);
        }
    }

    /// <summary>Gives the terminal back.</summary>
    public void Dispose()
    {
        var began = options.Time.GetTimestamp();
        pace.End();
        if (Libc.IsForeground)
        {
            // What a slow terminal has not taken yet; else the user sees old frames before the shell.
            Libc.DropOutput();
        }

        // A thread of its own: on a machine without time, one of the pool comes only after the limit.
        var leaving = Task.Factory.StartNew(app.Dispose, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        while (!leaving.IsCompleted && options.Time.GetElapsedTime(began) < DisposeLimit)
        {
            Thread.Sleep(DisposeLook);
        }

        screen.Dispose();
        suspension.Dispose();
        waker.Dispose();
    }
}

/// <summary>The sequence with which a terminal is asked to put a text on the clipboard of whoever sits before it, over ssh too.</summary>
static class Osc52
{
    public static string Of(string text) => $"\e]52;c;{Convert.ToBase64String(Encoding.UTF8.GetBytes(text))}\a";
}

/// <summary>
/// A terminal that takes its bytes slowly, or none. The library writes a frame on the thread that serves keys (2.5.0), so a key that quits
/// would wait until the terminal has taken the frame. Where one waits, or the run shall end, what the terminal has not taken is dropped.
/// </summary>
sealed class SlowTerminal : IDisposable
{
    /// <summary>A frame that takes longer waits for the terminal.</summary>
    static readonly TimeSpan LongestFrame = TimeSpan.FromMilliseconds(150);

    static readonly TimeSpan Look = TimeSpan.FromMilliseconds(250);

    readonly IApplication app;
    readonly TimeProvider time;
    readonly CancellationToken stop;
    readonly ITimer timer;
    long began;

    /// <param name="app">The application, initialised.</param>
    /// <param name="time">Measures a frame.</param>
    /// <param name="stop">The run shall end.</param>
    public SlowTerminal(IApplication app, TimeProvider time, CancellationToken stop)
    {
        (this.app, this.time, this.stop) = (app, time, stop);
        timer = time.CreateTimer(_ => LookAtFrame(), null, Look, Look);
    }

    /// <summary>Called by the thread that draws: from now on it serves keys and draws.</summary>
    public void Begin() => Interlocked.Exchange(ref began, time.GetTimestamp());

    /// <summary>Called by the thread that draws: the frame is written.</summary>
    public void End() => Interlocked.Exchange(ref began, 0);

    public void Dispose() => timer.Dispose();

    void LookAtFrame()
    {
        if (Interlocked.Read(ref began) is not 0 and var since && time.GetElapsedTime(since) > LongestFrame
            && (stop.IsCancellationRequested || IsToQuit(TypedKeys.Of(app))))
        {
            Libc.DropOutput();
        }
    }

    // q, Ctrl+C, Ctrl+D. A q for a field of text drops no more than a part of the picture, which F5 draws anew.
    static bool IsToQuit(ConcurrentQueue<char>? typed) => typed?.Any(c => c is 'q' or '\x03' or '\x04') == true;
}

/// <summary>The characters that were typed and not served yet.</summary>
static class TypedKeys
{
    /// <summary>Those of an application; null where it reads no characters.</summary>
    public static ConcurrentQueue<char>? Of(IApplication app) => (app.Driver?.GetInputProcessor() as InputProcessorImpl<char>)?.InputQueue;
}

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
            Thread.Sleep(System.Threading.Timeout.Infinite);
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

/// <summary>
/// The line discipline of the terminal, kept as the opaque bytes the C library gives: echo and line editing as the shell had them, and
/// as the reader of keys needs them. .NET restores them at exit, but not when we stop for Ctrl+Z.
/// </summary>
sealed class TerminalModes
{
    // struct termios has 60 bytes on Linux and 72 on macOS.
    readonly byte[] bytes = new byte[256];
    bool known;

    /// <summary>Whether there was a terminal; one whose window was closed answers no more.</summary>
    public bool AreKnown => known;

    /// <summary>What the terminal does now.</summary>
    public static TerminalModes Current()
    {
        var modes = new TerminalModes();
        modes.Read();
        return modes;
    }

    /// <summary>Makes the terminal do that again; nothing where there is no terminal.</summary>
    public unsafe void Apply()
    {
        if (!known)
        {
            return;
        }

        fixed (byte* first = bytes)
        {
            Libc.SetModes(Libc.Stdin, Libc.Now, first);
        }
    }

    /// <summary>Makes the terminal do that again where it does something else now.</summary>
    public void Keep(TerminalModes now)
    {
        if (now.known && !now.bytes.AsSpan().SequenceEqual(bytes))
        {
            Apply();
        }
    }

    unsafe void Read()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        fixed (byte* first = bytes)
        {
            known = Libc.GetModes(Libc.Stdin, first) == 0;
        }
    }
}
