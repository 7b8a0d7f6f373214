using System.Runtime.InteropServices;

namespace Tpwatch.Screen;

/// <summary>The few calls of the C library that .NET has no name for. Linux and macOS.</summary>
static partial class Libc
{
    public const int Stdin = 0;
    public const int Stdout = 1;
    public const int TryAgain = 11;
    public const int TryAgainMacOs = 35;
    public const int Interrupted = 4;

    /// <summary>Change terminal modes at once, without dropping input.</summary>
    public const int Now = 0;

    /// <summary>A process that is not in the foreground read from its terminal.</summary>
    public const int SigTtin = 21;

    /// <summary>A process that is not in the foreground changed its terminal.</summary>
    public const int SigTtou = 22;

    public const nint Ignore = 1;

    /// <summary>Whether the terminal's keys are for this process: false after <c>bg</c>. True where there is no terminal to ask.</summary>
    public static bool IsForeground =>
        OperatingSystem.IsWindows() || TerminalGroup(Stdin) is var group && (group < 0 || group == OwnGroup());

    /// <summary>Stop, not to be refused: its number differs.</summary>
    public static int SigStop => OperatingSystem.IsMacOS() ? 17 : 19;

    /// <summary>What Ctrl+Z sends: its number differs.</summary>
    public static int SigTstp => OperatingSystem.IsMacOS() ? 18 : 20;

    /// <summary>
    /// Drops what was written and has not reached the terminal, and wakes whoever waits to write more. Nothing where there is no terminal.
    /// </summary>
    public static void DropOutput()
    {
        if (!OperatingSystem.IsWindows())
        {
            // The numbers of macOS are one higher. Dropping alone leaves a writer of a pseudo terminal asleep until the next read.
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

    /// <summary>Waits until there is something to read: 0 when there is not after that time.</summary>
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
    /// Whether another process of our own group, the one that started us, is running: then the job goes on, whatever signal came before.
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
