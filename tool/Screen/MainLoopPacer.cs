using System.Runtime.CompilerServices;
using Terminal.Gui.App;
using Terminal.Gui.Drivers;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Screen;

/// <summary>
/// Wakes the screen at once for a typed key, and otherwise at the next update. By default Terminal.Gui polls for keys fifty times a second
/// and runs its loop twenty-five times a second (version 2.5.0). This takes 3 % of a processor even if nothing changes.
/// </summary>
sealed class MainLoopPacer(Waker waker)
{
    /// <summary>
    /// Terminal.Gui's iterations per second. Above 1000, Terminal.Gui does not wait between two iterations, and this class waits instead.
    /// </summary>
    const ushort NoWait = 1001;

    /// <summary>Interval at which the reader of keys checks whether the screen ends, milliseconds; a check costs one system call.</summary>
    const int InputLookMs = 100;

    /// <summary>
    /// Maximum wait between two iterations of Terminal.Gui in the second after input, when iterations must be frequent. They decide 50 ms
    /// after an Esc whether it is a key or starts a sequence. They also repeat the events of a held mouse button.
    /// </summary>
    static readonly TimeSpan AfterInput = TimeSpan.FromMilliseconds(20);

    static readonly TimeSpan Lively = TimeSpan.FromSeconds(1);

    /// <summary>Maximum wait between iterations until the first frame, which needs the terminal's answers to start-up queries.</summary>
    static readonly TimeSpan AtStart = TimeSpan.FromMilliseconds(2);

    volatile bool ended;
    volatile bool started;
    long input;

    /// <summary>Creates an application of Terminal.Gui that runs at this pace.</summary>
    public IApplication Create()
    {
        Application.MaximumIterationsPerSecond = NoWait;
        var app = Application.Create();
        if (!OperatingSystem.IsWindows())
        {
            FactoryOf(app) = new Factory(this);
        }

        return app;
    }

    /// <summary>Ends the start-up pace; called when the first frame has been drawn.</summary>
    public void Start() => started = true;

    /// <summary>Waits until a key is typed or the next update is due. The wait is shorter at start-up and just after input.</summary>
    public void AwaitNews(TimeProvider time, TimeSpan untilTick)
    {
        var most = !started ? AtStart
            : Interlocked.Read(ref input) is not 0 and var at && time.GetElapsedTime(at) < Lively ? AfterInput : untilTick;
        waker.WaitOne(most < untilTick ? most : untilTick > AtStart ? untilTick : AtStart);
    }

    /// <summary>Makes the reader of keys return soon.</summary>
    public void End() => ended = true;

    // Terminal.Gui lets only its own tests replace the source of keys, so this accessor sets the private field.
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_componentFactory")]
    static extern ref IComponentFactory? FactoryOf([UnsafeAccessorType("Terminal.Gui.App.ApplicationImpl, Terminal.Gui")] object app);

    sealed class Factory(MainLoopPacer pace) : AnsiComponentFactory
    {
        public override IInput<char> CreateInput() => new Input(pace);
    }

    /// <summary>Terminal.Gui's reader of keys, changed to wait in the kernel instead of polling.</summary>
    sealed class Input(MainLoopPacer pace) : AnsiInput
    {
        bool reads;

        public override bool Peek()
        {
            if (reads)
            {
                Interlocked.Exchange(ref pace.input, TimeProvider.System.GetTimestamp());
                pace.Wake();
            }

            reads = base.Peek();
            while (!reads && !pace.ended)
            {
                if (Libc.WaitForInput(InputLookMs) != 0)
                {
                    // There are keys, or the terminal is gone; Terminal.Gui's own polling handles both.
                    reads = base.Peek();
                    break;
                }
            }

            return reads;
        }

        public override IEnumerable<char> Read() =>
            EscKeySequence.Spelled(base.Read, () => Libc.WaitForInput(EscKeySequence.SequenceMs) > 0);
    }

    void Wake() => waker.Wake();
}

/// <summary>
/// Replaces the key Esc by an escape sequence that means only this key. Terminal.Gui takes Esc and all characters within 50 ms as one
/// sequence, and drops an unknown sequence (2.5.0). So a key typed or pasted quickly after Esc would be lost.
/// </summary>
static class EscKeySequence
{
    /// <summary>Maximum wait for the rest of a sequence, milliseconds, as in Terminal.Gui; terminals send a sequence at once.</summary>
    public const int SequenceMs = 50;

    const char Escape = '\e';

    /// <summary>The key Esc as terminals with the newer keyboard protocol send it.</summary>
    const string Key = "\e[27u";

    /// <summary>Characters that start a sequence after the escape character: CSI, SS3, OSC, DCS, APC, PM, SOS, ST.</summary>
    const string Introducers = "[O]P_^X\\";

    /// <summary>Reads the typed characters and replaces the key Esc.</summary>
    /// <param name="comesMore">Callback that waits for the rest of a sequence; false when no more characters come.</param>
    public static string Spelled(Func<IEnumerable<char>> read, Func<bool> comesMore)
    {
        var text = string.Concat(read());
        while (text.EndsWith(Escape) && comesMore() && string.Concat(read()) is { Length: > 0 } rest)
        {
            text += rest;
        }

        return string.Concat(text.Select((c, i) =>
            c == Escape && (i + 1 == text.Length || !Introducers.Contains(text[i + 1], StringComparison.Ordinal)) ? Key : c.ToString()));
    }
}

/// <summary>
/// Wakes one waiting thread. <see cref="Wake"/> may be called after <see cref="Dispose"/>, because a signal handler can still run after its
/// registration was disposed. For example, a terminal that closes sends SIGHUP, which ends the program, and then SIGCONT.
/// </summary>
sealed class Waker : IDisposable
{
    readonly AutoResetEvent signal = new(initialState: false);

    public void Wake()
    {
        try
        {
            signal.Set();
        }
        catch (ObjectDisposedException)
        {
            // After Dispose no thread waits any more, so there is none to wake.
        }
    }

    /// <summary>
    /// Waits for <see cref="Wake"/>, but no longer than the given time, rounded up to whole milliseconds. If the time were rounded down, a
    /// wait of less than a millisecond would return at once, and the caller would loop without a pause.
    /// </summary>
    public void WaitOne(TimeSpan atMost) => signal.WaitOne((int)Math.Ceiling(atMost.TotalMilliseconds));

    public void Dispose() => signal.Dispose();
}

/// <summary>Options of <see cref="ScreenHost"/>.</summary>
sealed record HostOptions
{
    /// <summary>Default time between two updates; users cannot read faster.</summary>
    public static readonly TimeSpan DefaultTick = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Maximum time to end the event session before Ctrl+Z stops this process. The session must end, because the target is held up while
    /// its events are not read. The time is limited, because the user waits for the shell.
    /// </summary>
    public static readonly TimeSpan SuspendLimit = TimeSpan.FromSeconds(3);

    /// <summary>Time between two updates of the screen.</summary>
    public TimeSpan Tick { get; init; } = DefaultTick;

    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Whether the screen handles the mouse. If false, the terminal handles it.</summary>
    public bool Mouse { get; init; } = true;

    /// <summary>The characters that the terminal can show.</summary>
    public GlyphSet Glyphs { get; init; } = GlyphSet.Braille;

    public bool HasSixteenColors { get; init; }

    /// <summary>Callback that ends the event session before Ctrl+Z stops this process; limited by <see cref="SuspendLimit"/>.</summary>
    public Func<CancellationToken, Task>? BeforeSuspend { get; init; }

    /// <summary>Callback that opens an event session again after <c>fg</c>, concurrently with the screen; a failure ends the run.</summary>
    public Func<CancellationToken, Task>? AfterResume { get; init; }
}
