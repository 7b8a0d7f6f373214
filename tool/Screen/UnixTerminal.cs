using System.Runtime.InteropServices;
using System.Text;
using Terminal.Gui.Drivers;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Screen;

/// <summary>
/// Handles Ctrl+Z and <c>fg</c>. By default, the stop signal acts at once, with the alternate screen shown and the event session open. So
/// this class catches the signal. The caller ends the session, leaves the screen, and calls <see cref="Stop"/>. In the background, reads
/// from the terminal fail instead of stopping the process again; otherwise <c>kill %1</c> could not end the process.
/// </summary>
sealed class JobControl : IDisposable
{
    const int ContinueLooks = 50;
    static readonly TimeSpan ContinueLook = TimeSpan.FromMilliseconds(20);

    /// <summary>Time between two checks for the foreground after <c>bg</c>; <c>fg</c> sends no signal to a job that runs.</summary>
    static readonly TimeSpan ForegroundLook = TimeSpan.FromMilliseconds(100);

    /// <summary>Maximum number of checks whether the parent process has stopped: two seconds in all, for an overloaded machine.</summary>
    const int StopLooks = 1000;
    static readonly TimeSpan StopLook = TimeSpan.FromMilliseconds(2);

    readonly PosixSignalRegistration[] registrations;
    readonly Waker waker;
    volatile TaskCompletionSource asked = NotAsked();
    volatile bool continued;
    volatile bool byKey;

    /// <summary>Number of stop signals that this process has sent to its own process group and has not received itself yet.</summary>
    int ours;

    public JobControl(Waker waker)
    {
        this.waker = waker;
        IgnoreBackgroundUse();
        registrations = OperatingSystem.IsWindows()
            ? []
            : [PosixSignalRegistration.Create(PosixSignal.SIGTSTP, OnStop),
                PosixSignalRegistration.Create(PosixSignal.SIGCONT, OnContinue)];
    }

    /// <summary>Whether Ctrl+Z was pressed and <see cref="Stop"/> has not handled it yet.</summary>
    public bool Requested => asked.Task.IsCompleted;

    /// <summary>A task that completes when Ctrl+Z is pressed; <see cref="Stop"/> replaces it by a new task.</summary>
    public Task Asked => asked.Task;

    /// <summary>
    /// Requests a stop when Ctrl+Z arrives as a key, because Terminal.Gui turns off the terminal's own signals. The other processes of the
    /// job get their stop signal later, from <see cref="Stop"/>. If they stopped now, the shell would continue at once and write on the
    /// alternate screen.
    /// </summary>
    public void Request()
    {
        byKey = true;
        Ask();
    }

    /// <summary>Stops this process; returns when the process is continued. Does not stop the process if <c>fg</c> came before.</summary>
    public void Stop()
    {
        asked = NotAsked();
        var all = byKey && !OperatingSystem.IsWindows();
        byKey = false;
        if (all)
        {
            StopOthers();
        }

        // `dotnet tpwatch` is two processes. Its host process stopped at once; this process stops only now. If the host process runs again,
        // `fg` came in between, and no later signal would continue this process.
        if (!continued && !Libc.StarterRuns() && Libc.Kill(Environment.ProcessId, Libc.SigStop) == 0)
        {
            WaitUntilContinued();
        }
    }

    /// <summary>Waits until this process is in the terminal's foreground, or <paramref name="stop"/> is cancelled.</summary>
    public void WaitForForeground(CancellationToken stop)
    {
        while (!Libc.IsForeground && !stop.IsCancellationRequested)
        {
            waker.WaitOne(ForegroundLook);
        }
    }

    public void Dispose()
    {
        foreach (var registration in registrations)
        {
            registration.Dispose();
        }
    }

    // Sends the process group the stop signal that the terminal would have sent, and waits until the parent process has stopped. A shell
    // without job control is in the same process group and ignores the signal.
    void StopOthers()
    {
        Interlocked.Increment(ref ours);
        if (Libc.Kill(0, Libc.SigTstp) != 0)
        {
            Interlocked.Decrement(ref ours);
        }

        for (var looks = 0; !continued && Libc.StarterRuns() && looks < StopLooks; looks++)
        {
            Thread.Sleep(StopLook);
        }
    }

    void WaitUntilContinued()
    {
        // `kill` may return shortly before this thread stops; nothing may be drawn in that time, so this loop waits.
        for (var looks = 0; !continued && looks < ContinueLooks; looks++)
        {
            waker.WaitOne(ContinueLook);
        }
    }

    static TaskCompletionSource NotAsked() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    // From now on, background reads from the terminal fail instead of stopping the process, and the terminal's modes can be set.
    static void IgnoreBackgroundUse()
    {
        if (!OperatingSystem.IsWindows())
        {
            Libc.Signal(Libc.SigTtin, Libc.Ignore);
            Libc.Signal(Libc.SigTtou, Libc.Ignore);
        }
    }

    void OnStop(PosixSignalContext context)
    {
        context.Cancel = true;
        if (Interlocked.Decrement(ref ours) < 0)
        {
            Interlocked.Exchange(ref ours, 0);
            Ask();
        }
    }

    void Ask()
    {
        continued = false;
        asked.TrySetResult();
        waker.Wake();
    }

    void OnContinue(PosixSignalContext context)
    {
        context.Cancel = true;
        continued = true;
        waker.Wake();
    }
}

/// <summary>Functions of the C library on Linux and macOS that .NET does not offer.</summary>
static partial class Libc
{
    public const int Stdin = 0;
    public const int Stdout = 1;
    public const int Interrupted = 4;

    /// <summary>TCSANOW: changes the terminal's modes at once, without dropping input.</summary>
    public const int Now = 0;

    /// <summary>SIGTTIN: a background process read from its terminal.</summary>
    public const int SigTtin = 21;

    /// <summary>SIGTTOU: a background process changed its terminal.</summary>
    public const int SigTtou = 22;

    public const nint Ignore = 1;

    /// <summary>Whether this process is in the terminal's foreground: false after <c>bg</c>, true without a terminal.</summary>
    public static bool IsForeground =>
        OperatingSystem.IsWindows() || TerminalGroup(Stdin) is var group && (group < 0 || group == OwnGroup());

    /// <summary>EAGAIN: a non-blocking file takes no output now; the number depends on the system.</summary>
    public static int TryAgain => OperatingSystem.IsMacOS() ? 35 : 11;

    /// <summary>SIGSTOP, the stop signal that a process cannot ignore; the number depends on the system.</summary>
    public static int SigStop => OperatingSystem.IsMacOS() ? 17 : 19;

    /// <summary>SIGTSTP, the stop signal that Ctrl+Z sends; the number depends on the system.</summary>
    public static int SigTstp => OperatingSystem.IsMacOS() ? 18 : 20;

    /// <summary>Drops output that the terminal has not taken, and wakes threads blocked in a write; no effect without a terminal.</summary>
    public static void DropOutput()
    {
        if (!OperatingSystem.IsWindows())
        {
            // On macOS, the constants are one higher. Dropping the queue does not wake a thread that is blocked in a write to a pseudo
            // terminal; turning the flow off and on does.
            var macOs = OperatingSystem.IsMacOS() ? 1 : 0;
            DropQueue(Stdout, 1 + macOs);
            Flow(Stdout, 0 + macOs);
            Flow(Stdout, 1 + macOs);
        }
    }

    [LibraryImport("libc", EntryPoint = "tcflush", SetLastError = true)]
    private static partial int DropQueue(int fd, int queue);

    [LibraryImport("libc", EntryPoint = "tcflow", SetLastError = true)]
    private static partial int Flow(int fd, int action);

    /// <summary>Waits for input up to the given number of milliseconds; returns 0 if none came, else 1, or -1 on an error.</summary>
    public static unsafe int WaitForInput(int atMostMs)
    {
        var asked = new Polled { Descriptor = Stdin, Events = 1 };
        return Poll(&asked, 1, atMostMs);
    }

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static unsafe partial int Poll(Polled* asked, nuint count, int atMostMs);

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int pid, int signal);

    [LibraryImport("libc", EntryPoint = "signal", SetLastError = true)]
    public static partial nint Signal(int signal, nint action);

    [LibraryImport("libc", EntryPoint = "tcgetpgrp", SetLastError = true)]
    private static partial int TerminalGroup(int fd);

    /// <summary>
    /// Whether the parent process belongs to the process group of this process and is not stopped, so that the job goes on. Always false on
    /// systems other than Linux.
    /// </summary>
    public static bool StarterRuns()
    {
        var starter = Parent();
        if (!OperatingSystem.IsLinux() || GroupOf(starter) != OwnGroup())
        {
            return false;
        }

        try
        {
            var stat = File.ReadAllText($"/proc/{starter.ToString(System.Globalization.CultureInfo.InvariantCulture)}/stat");
            return stat.LastIndexOf(')') is var end and > 0 && stat.Length > end + 2 && stat[end + 2] != 'T';
        }
        catch (IOException)
        {
            return false;
        }
    }

    [LibraryImport("libc", EntryPoint = "getppid")]
    private static partial int Parent();

    [LibraryImport("libc", EntryPoint = "getpgid", SetLastError = true)]
    private static partial int GroupOf(int pid);

    [LibraryImport("libc", EntryPoint = "getpgrp")]
    private static partial int OwnGroup();

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static unsafe partial nint Write(int fd, byte* bytes, nint count);

    [LibraryImport("libc", EntryPoint = "tcgetattr", SetLastError = true)]
    public static unsafe partial int GetModes(int fd, byte* termios);

    [LibraryImport("libc", EntryPoint = "tcsetattr", SetLastError = true)]
    public static unsafe partial int SetModes(int fd, int when, byte* termios);

    [StructLayout(LayoutKind.Sequential)]
    struct Polled
    {
        public int Descriptor;
        public short Events;
        public short Happened;
    }
}

/// <summary>
/// Writes texts to standard output. On Unix, this class does not use <see cref="Console"/>'s stream. That stream shares a lock with the
/// reader of keys, and hides that the terminal is gone.
/// </summary>
sealed class TerminalOutput
{
    /// <summary>Maximum wait of a write for a non-blocking terminal, milliseconds; after that, the terminal counts as gone.</summary>
    const int PatienceMs = 2000;

    const int RetryMs = 5;

    readonly Stream? console = OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : null;

    /// <summary>Writes a text; returns false when the terminal is gone.</summary>
    public bool Write(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        if (console is null)
        {
            return WriteUnix(bytes);
        }

        console.Write(bytes);
        return true;
    }

    static unsafe bool WriteUnix(ReadOnlySpan<byte> bytes)
    {
        var waited = 0;
        while (bytes.Length > 0)
        {
            nint written;
            fixed (byte* first = bytes)
            {
                written = Libc.Write(Libc.Stdout, first, bytes.Length);
            }

            if (written >= 0)
            {
                bytes = bytes[(int)written..];
            }
            else if (!MayRetry(ref waited))
            {
                return false;
            }
        }

        return true;
    }

    static bool MayRetry(ref int waited)
    {
        var error = Marshal.GetLastPInvokeError();
        if (error == Libc.Interrupted)
        {
            return true;
        }

        if (error != Libc.TryAgain || waited >= PatienceMs)
        {
            return false;
        }

        Thread.Sleep(RetryMs);
        waited += RetryMs;
        return true;
    }
}

/// <summary>
/// Makes Terminal.Gui write only cells that differ from those on the terminal. By default Terminal.Gui writes every cell that was drawn
/// since the last frame, changed or not (version 2.5.0), which is twenty times as many bytes. This class also replaces the characters of
/// Terminal.Gui's own borders, scroll bars and check boxes by characters that the terminal has.
/// </summary>
sealed class ChangedCells(GlyphSet glyphs)
{
    ShownCell[,] shown = new ShownCell[0, 0];
    bool[] touched = [];

    /// <summary>Forgets the content of the terminal, so that the next frame is written as a whole.</summary>
    public void Forget() => shown = new ShownCell[0, 0];

    /// <summary>Excludes from the next frame the cells that the terminal already shows; called after a window has been drawn.</summary>
    public void Reduce(IDriver driver)
    {
        var buffer = driver.GetOutputBuffer();
        if (buffer.Contents is not { } cells)
        {
            return;
        }

        var (rows, columns) = (cells.GetLength(0), cells.GetLength(1));
        if (shown.GetLength(0) != rows || shown.GetLength(1) != columns)
        {
            (shown, touched) = (new ShownCell[rows, columns], new bool[rows]);
        }

        for (var y = 0; y < rows && y < buffer.DirtyLines.Length; y++)
        {
            if (buffer.DirtyLines[y])
            {
                touched[y] = true;
                buffer.DirtyLines[y] = Reduce(cells, y, columns);
            }
        }
    }

    /// <summary>Remembers the cells of a frame; called after the frame has been written.</summary>
    public void Written(IDriver driver)
    {
        if (driver.GetOutputBuffer().Contents is not { } cells || shown.GetLength(0) != cells.GetLength(0)
            || shown.GetLength(1) != cells.GetLength(1))
        {
            return;
        }

        for (var y = 0; y < touched.Length; y++)
        {
            for (var x = 0; touched[y] && x < cells.GetLength(1); x++)
            {
                // Terminal.Gui may end a frame early; cells that are still dirty are written with the next frame.
                if (!cells[y, x].IsDirty)
                {
                    shown[y, x] = new(cells[y, x].Grapheme, cells[y, x].Attribute);
                }
            }

            touched[y] = false;
        }
    }

    bool Reduce(Terminal.Gui.Drawing.Cell[,] cells, int y, int columns)
    {
        var isDirty = false;
        for (var x = 0; x < columns; x++)
        {
            if (!cells[y, x].IsDirty)
            {
                continue;
            }

            if (cells[y, x].Grapheme is { Length: > 0 } text && !Ascii.IsValid(text))
            {
                cells[y, x].Grapheme = Spelled(text);
            }

            cells[y, x].IsDirty = new ShownCell(cells[y, x].Grapheme, cells[y, x].Attribute) != shown[y, x];
            isDirty |= cells[y, x].IsDirty;
        }

        return isDirty;
    }

    string Spelled(string text) => Control(text) is { } control ? control
        : !glyphs.IsAscii ? text : Line(text) ?? Runes.Ascii(Rune.GetRuneAt(text, 0)).ToString();

    // Returns the replacement for check boxes and option buttons, whose characters are wide in some fonts and missing in others.
    static string? Control(string text) => text switch
    {
        "☐" or "○" => "o",
        "☑" or "◉" => "*",
        _ => null,
    };

    static string? Line(string text) => text switch
    {
        "│" or "┊" or "┃" or "║" => "|",
        "─" or "━" or "═" => "-",
        "┌" or "┐" or "└" or "┘" or "├" or "┤" or "┬" or "┴" or "┼" or "╭" or "╮" or "╰" or "╯" => "+",
        "▲" => "^",
        "▼" => "v",
        "█" or "■" or "▓" => "#",
        "░" or "▒" => ":",
        _ => null,
    };

    readonly record struct ShownCell(string? Text, Terminal.Gui.Drawing.Attribute? Look);
}
