using System.Runtime.InteropServices;

namespace Tpwatch.Screen;

/// <summary>Functions of the C library on Linux and macOS that .NET does not offer.</summary>
static partial class Libc
{
    public const int Stdin = 0;
    public const int Stdout = 1;
    public const int TryAgain = 11;
    public const int TryAgainMacOs = 35;
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

    /// <summary>SIGSTOP, the stop signal that a process cannot ignore; the number depends on the system.</summary>
    public static int SigStop => OperatingSystem.IsMacOS() ? 17 : 19;

    /// <summary>SIGTSTP, the stop signal that Ctrl+Z sends; the number depends on the system.</summary>
    public static int SigTstp => OperatingSystem.IsMacOS() ? 18 : 20;

    /// <summary>
    /// Drops output that has not reached the terminal yet, and wakes threads that wait to write. Does nothing without a terminal.
    /// </summary>
    public static void DropOutput()
    {
        if (!OperatingSystem.IsWindows())
        {
            // The constants of macOS are one higher. Dropping the queue alone leaves a writer to a pseudo terminal blocked until the next
            // read.
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

    /// <summary>Waits for input up to the given number of milliseconds; returns 0 when no input came in that time.</summary>
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
    /// Whether the parent process belongs to the process group of this process and is not stopped. In that case the job goes on, whatever
    /// signal came before. Always false on systems other than Linux.
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
