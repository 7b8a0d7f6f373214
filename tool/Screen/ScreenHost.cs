using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;
using System.Text;
using Terminal.Gui.App;
using Terminal.Gui.Drivers;
using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;

namespace Tpwatch.Screen;

/// <summary>A window and its periodic update.</summary>
/// <param name="Tick">Callback that takes over new data, called once per <see cref="HostOptions.Tick"/>.</param>
sealed record HostedWindow(Runnable Window, Action Tick)
{
    /// <summary>Callback that receives the host's function to copy a text to the clipboard; null if the window copies nothing.</summary>
    public Action<Action<string>>? Copies { get; init; }

    /// <summary>Callback that receives the host's function to write the whole screen again; null if the window needs none.</summary>
    public Action<Action>? Redraws { get; init; }
}

/// <summary>
/// Runs a window of Terminal.Gui in this process's terminal, on a thread of its own, and restores the terminal afterwards. This class and
/// its helpers correct faults of Terminal.Gui; docs/terminal-gui.md lists the faults.
/// </summary>
sealed class ScreenHost : IDisposable
{
    /// <summary>Maximum wait for Terminal.Gui to close; its thread that reads keys may not end when the terminal is gone (2.5.0).</summary>
    static readonly TimeSpan DisposeLimit = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Wait after <c>fg</c> until the host process of <c>dotnet tpwatch</c> has most likely set its own terminal modes. Each later update
    /// checks the modes once more.
    /// </summary>
    static readonly TimeSpan StarterModes = TimeSpan.FromMilliseconds(30);

    static readonly TimeSpan DisposeLook = TimeSpan.FromMilliseconds(10);

    /// <summary>
    /// While Terminal.Gui's queue of typed characters (unlimited in 2.5.0) is longer than this, keys do nothing. So after a paste by
    /// mistake, the last keys, such as the key that quits, are handled soon. The queue is not emptied, because the rest of an escape
    /// sequence or of a bracketed paste would be read as keys.
    /// </summary>
    const int MostTyped = 100;

    /// <summary>Keys that Terminal.Gui binds in every application to quit, stop, redraw or move windows; this class unbinds them.</summary>
    static readonly ImmutableArray<Key> NotTheLibrarys = [Key.Esc, Key.Z.WithCtrl, Key.F5, Key.F5.WithCtrl, Key.Q.WithCtrl];

    readonly HostOptions options;
    readonly CancellationToken stop;
    readonly TerminalOutput output = new();
    readonly ChangedCells changed;
    readonly Waker waker = new();
    readonly MainLoopPacer pace;
    readonly JobControl suspension;
    readonly AlternateScreen screen;
    readonly IApplication app;
    Task? resuming;
    long ticked;
    bool cursorShown;

    /// <summary>The terminal's modes to keep after <c>fg</c>; null if the process was never stopped.</summary>
    TerminalModes? resumed;

    ScreenHost(HostOptions options, CancellationToken stop)
    {
        (this.options, this.stop) = (options, stop);
        changed = new(options.Glyphs);
        suspension = new(waker);
        // The constructor of AlternateScreen saves the terminal's modes, so it runs before Terminal.Gui changes the modes.
        screen = new(output, options.Mouse);
        // By default Terminal.Gui asks the terminal for the size, and tmux 3.3a swaps width and height in the answer.
        Driver.SizeDetection = SizeDetectionMode.Polling;
        pace = new(waker);
        app = pace.Create();
    }

    /// <summary>
    /// Shows a window until the window requests its end, <paramref name="stop"/> is cancelled, or the terminal is gone. All three are
    /// orderly ends. When the task completes, the terminal is as before. If the screen fails, the task fails with its exception.
    /// </summary>
    public static Task RunAsync(Func<HostedWindow> make, HostOptions options, CancellationToken stop)
    {
        var shown = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        // Reading keys and drawing must not depend on the thread pool of this process.
        new Thread(() => Run(make, options, shown, stop)) { Name = "tpwatch screen" }.Start();
        return shown.Task;
    }

    /// <summary>Whether input and output are a terminal that can show a screen.</summary>
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
            // With polling, Terminal.Gui shows nothing before the size changes (2.5.0), so this line sets the size.
            app.Driver!.SetScreenSize(Console.WindowWidth, Console.WindowHeight);
            Prepare(app, changed, suspension.Request);
            using var slow = new SlowTerminalGuard(app, options.Time, stop);
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
            // Without this call, the first frame would say that no data has arrived, although there may be data.
            hosted.Tick();
            app.Run(window);
        }
        catch (IOException) when (screen.HadTerminal && !TerminalModes.Current().AreKnown)
        {
            // The user closed the terminal's window, which is an orderly end.
        }
    }

    /// <summary>Replaces the keys that Terminal.Gui binds in every application by those of tpwatch, and reduces the output.</summary>
    /// <param name="suspend">Callback that requests that the process stops, as for Ctrl+Z.</param>
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

    /// <summary>Ends the run of the first window, together with the dialogs above that window.</summary>
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
        // By default, Terminal.Gui writes the sequence that hides the cursor before every frame, even if the cursor is hidden (2.5.0).
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
            // In raw mode Ctrl+Z arrives as a key.
            key.Handled = true;
            suspend();
        }
        else if (TypedKeys.Of(app)?.Count > MostTyped)
        {
            key.Handled = true;
        }
        else if (key.IsAlt)
        {
            // Terminal.Gui reads Esc and a key right after it as one key with Alt (2.5.0). tpwatch raises Esc and the key separately.
            key.Handled = true;
            app.Keyboard.RaiseKeyDownEvent(Key.Esc);
            // The property NoAlt is not used, because its copy of the key would also count as handled.
            app.Keyboard.RaiseKeyDownEvent(new Key(key.KeyCode & ~KeyCode.AltMask));
        }
    }

    void Redraw()
    {
        changed.Forget();
        app.ClearScreenNextIteration = true;
    }

    // Replaces Terminal.Gui's suspension, which starts another program, leaves the keypad mode on, and stops the process group (2.5.0).
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

        // `dotnet tpwatch` may be two processes. In that case the host process, when continued, also sets the terminal's modes at about
        // this time.
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

    // Ends the event session. After the time limit the user gets the shell, even if the callback ignores its cancellation token.
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

    /// <summary>Closes Terminal.Gui and restores the terminal.</summary>
    public void Dispose()
    {
        var began = options.Time.GetTimestamp();
        pace.End();
        if (Libc.IsForeground)
        {
            // Drops the output that a slow terminal has not taken yet; otherwise the user sees old frames before the shell.
            Libc.DropOutput();
        }

        // Closes Terminal.Gui on its own thread: on an overloaded machine, a pool thread may not be free before DisposeLimit has passed.
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

/// <summary>The escape sequence that asks the terminal to put a text on the user's clipboard; works over ssh too.</summary>
static class Osc52
{
    public static string Of(string text) => $"\e]52;c;{Convert.ToBase64String(Encoding.UTF8.GetBytes(text))}\a";
}

/// <summary>
/// Keeps a slow or blocked terminal from delaying the end of the program. Terminal.Gui writes frames on the thread that handles keys
/// (2.5.0), so a key that quits would wait until the terminal has taken the frame. If such a key waits, or the run must end, this class
/// drops the output that the terminal has not taken.
/// </summary>
sealed class SlowTerminalGuard : IDisposable
{
    /// <summary>Maximum time of a normal frame; a frame that takes longer is waiting for the terminal.</summary>
    static readonly TimeSpan LongestFrame = TimeSpan.FromMilliseconds(150);

    static readonly TimeSpan Look = TimeSpan.FromMilliseconds(250);

    readonly IApplication app;
    readonly TimeProvider time;
    readonly CancellationToken stop;
    readonly ITimer timer;
    long began;

    public SlowTerminalGuard(IApplication app, TimeProvider time, CancellationToken stop)
    {
        (this.app, this.time, this.stop) = (app, time, stop);
        timer = time.CreateTimer(_ => LookAtFrame(), null, Look, Look);
    }

    /// <summary>Starts the measurement; called by the drawing thread before handling keys and drawing a frame.</summary>
    public void Begin() => Interlocked.Exchange(ref began, time.GetTimestamp());

    /// <summary>Ends the measurement; called by the drawing thread after the frame has been written.</summary>
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

    // Whether q, Ctrl+C or Ctrl+D is in the queue. If the q is meant for a text field, a part of the picture is lost; F5 draws it again.
    static bool IsToQuit(ConcurrentQueue<char>? typed) => typed?.Any(c => c is 'q' or '\x03' or '\x04') == true;
}

/// <summary>Access to the typed characters that Terminal.Gui has not handled yet.</summary>
static class TypedKeys
{
    /// <summary>Returns the queue of typed characters of an application; null where the application reads no characters.</summary>
    public static ConcurrentQueue<char>? Of(IApplication app) => (app.Driver?.GetInputProcessor() as InputProcessorImpl<char>)?.InputQueue;
}

/// <summary>
/// The terminal's alternate screen, which Terminal.Gui enters, and leaves at an orderly end. This class also leaves the alternate screen at
/// the end of the run, at the end of the process, and on an unhandled exception. So the error text appears on the normal screen. Without
/// this class, Terminal.Gui would draw over that text and leave the keypad mode of .NET's console on (2.5.0).
/// </summary>
sealed class AlternateScreen : IDisposable
{
    const string MouseOff = "\e[?1000l\e[?1002l\e[?1003l\e[?1006l\e[?1015l";
    const string MouseOn = "\e[?1003h\e[?1015h\e[?1006h";
    const string PasteOff = "\e[?2004l";
    const string PasteOn = "\e[?2004h";

    // Turns mouse and bracketed paste off; resets attributes, line wrap, cursor, screen and keypad.
    const string LeaveSequence = MouseOff + PasteOff + "\e[0m\e[?7h\e[?25h\e[?1049l" + KeypadOff;
    const string KeypadOff = "\e[?1l\e>";
    const string EnterSequence = "\e[?1049h\e[2J\e[?25l" + PasteOn;

    /// <summary>Maximum wait at the end of the process for a terminal that takes no output.</summary>
    static readonly TimeSpan LastWords = TimeSpan.FromMilliseconds(500);

    /// <summary>Maximum wait at the end of the process for the frame that is being drawn.</summary>
    static readonly TimeSpan LastFrame = TimeSpan.FromMilliseconds(200);

    readonly TerminalOutput output;
    readonly bool mouse;
    readonly TerminalModes before = TerminalModes.Current();
    readonly ManualResetEvent parked = new(false);
    volatile bool ending;
    int entered = 1;

    /// <param name="mouse">Whether the screen uses the mouse; if not, the user can select text with the terminal's own selection.</param>
    public AlternateScreen(TerminalOutput output, bool mouse)
    {
        (this.output, this.mouse) = (output, mouse);
        AppDomain.CurrentDomain.ProcessExit += OnEnd;
        AppDomain.CurrentDomain.UnhandledException += OnEnd;
    }

    public bool HadTerminal => before.AreKnown;

    /// <summary>Gives the mouse back to the terminal if the screen does not use it; called after Terminal.Gui took the mouse.</summary>
    public void SetMouse()
    {
        if (!mouse)
        {
            output.Write(MouseOff);
        }
    }

    /// <summary>Called by the drawing thread before each frame; never returns once the process ends, so that drawing stops.</summary>
    public void BeforeFrame()
    {
        if (ending)
        {
            parked.Set();
            Thread.Sleep(System.Threading.Timeout.Infinite);
        }
    }

    /// <summary>Enters the alternate screen again after the process was stopped.</summary>
    public void Enter()
    {
        if (Interlocked.Exchange(ref entered, 1) == 0)
        {
            output.Write(EnterSequence + (mouse ? MouseOn : ""));
        }
    }

    /// <summary>Leaves the alternate screen and restores the terminal's modes for the shell.</summary>
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
            // The process was killed while stopped. The `dotnet` host of `dotnet tpwatch` continues too, and switches the keypad mode on
            // again.
            output.Write(KeypadOff);
        }

        Leave();
        AppDomain.CurrentDomain.ProcessExit -= OnEnd;
        AppDomain.CurrentDomain.UnhandledException -= OnEnd;
        parked.Dispose();
    }

    // Leaves the screen on a thread of its own: if Ctrl+S has stopped the terminal, the write blocks, and the process must still end.
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
/// The terminal's modes (termios), such as echo and line editing, as the opaque bytes of the C library. This class restores the modes when
/// the process stops for Ctrl+Z; .NET restores them only at exit.
/// </summary>
sealed class TerminalModes
{
    // struct termios has 60 bytes on Linux and 72 on macOS.
    readonly byte[] bytes = new byte[256];

    /// <summary>Whether the modes could be read; false without a terminal, or after the terminal's window was closed.</summary>
    public bool AreKnown { get; private set; }

    /// <summary>Reads the terminal's present modes.</summary>
    public static unsafe TerminalModes Current()
    {
        var modes = new TerminalModes();
        if (!OperatingSystem.IsWindows())
        {
            fixed (byte* first = modes.bytes)
            {
                modes.AreKnown = Libc.GetModes(Libc.Stdin, first) == 0;
            }
        }

        return modes;
    }

    /// <summary>Sets the terminal to these modes; does nothing without a terminal.</summary>
    public unsafe void Apply()
    {
        if (AreKnown)
        {
            fixed (byte* first = bytes)
            {
                Libc.SetModes(Libc.Stdin, Libc.Now, first);
            }
        }
    }

    /// <summary>Sets the terminal to these modes if the present modes differ.</summary>
    public void Keep(TerminalModes now)
    {
        if (now.AreKnown && !now.bytes.AsSpan().SequenceEqual(bytes))
        {
            Apply();
        }
    }
}
