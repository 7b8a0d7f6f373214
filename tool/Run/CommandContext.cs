using System.Reflection;
using System.Runtime.InteropServices;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>The services of one run of tpwatch: engine, output streams, terminal and clock. Tests pass fakes.</summary>
/// <param name="Engine">Finds processes, attaches to processes, and replays recordings.</param>
/// <param name="Out">Receives results and nothing else.</param>
/// <param name="Error">Receives notes and errors.</param>
/// <param name="Terminal">Properties of the terminal to which the output goes.</param>
/// <param name="Time">The clock for waits and time limits.</param>
/// <param name="Stop">Token that is cancelled by the first Ctrl+C, Ctrl+\, SIGTERM or SIGHUP.</param>
sealed record CommandContext(
    IEngine Engine, TextWriter Out, TextWriter Error, TerminalFacts Terminal, TimeProvider Time, CancellationToken Stop)
{
    /// <summary>The program to launch and its arguments, as given after <c>--</c>; null without <c>--</c>.</summary>
    public IReadOnlyList<string>? Command { get; init; }

    /// <summary>Name of the process or recording, with which each note begins; null if the command has only one target.</summary>
    public string? About { get; init; }

    /// <summary>Callback that shows the screen; null if the command prints lines instead.</summary>
    public ShowScreen? Screen { get; init; }

    /// <summary>Callback that shows on the screen that tpwatch waits for a process; null if there is no screen.</summary>
    public ShowWaitingIn? Waiting { get; init; }

    /// <summary>Callback that lets the user choose a process; null without a terminal, where the command lists the processes.</summary>
    public PickTarget? Picker { get; init; }

    /// <summary>Writes a note to standard error: a sentence and, on the next line, a hint for the user if there is one.</summary>
    public void Note(string sentence, string? hint = null)
    {
        try
        {
            // A build server runs a line that begins with "::" as a command. A process name may contain such a line, so it is indented.
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
            // Standard error is closed or its disk is full. The note is lost, and the command continues.
        }
    }
}

/// <summary>
/// Callback that shows a watch on the screen until the user quits or <paramref name="stop"/> is cancelled. Restores the terminal.
/// </summary>
delegate Task ShowScreen(IWatch watch, ScreenAppearance request, CancellationToken stop);

/// <summary>
/// Callback that shows the wait for a process until the user quits or <paramref name="stop"/> is cancelled. Restores the terminal.
/// </summary>
delegate Task ShowWaiting(AwaitedProcess what, CancellationToken stop);

/// <summary>Like <see cref="ShowWaiting"/>, with the appearance of the screen as an additional parameter.</summary>
delegate Task ShowWaitingIn(AwaitedProcess what, ScreenAppearance look, CancellationToken stop);

/// <summary>Callback that lets the user choose a process of this machine; returns null if the user chose none.</summary>
delegate Task<ProcessRow?> PickTarget(IEngine engine, ScreenAppearance request, CancellationToken stop);

/// <summary>The appearance of the screen that the user requests. The texts are values of command line options.</summary>
/// <param name="Color">auto, always, never, 16 or truecolor.</param>
/// <param name="Glyphs">auto, braille, block or ascii.</param>
/// <param name="Theme">Name of a theme; null for the default.</param>
/// <param name="FramesPerSecond">Maximum number of redraws per second.</param>
/// <param name="Time">Whether the screen shows times in UTC or in seconds since the start.</param>
sealed record ScreenAppearance(string Color, string Glyphs, string? Theme, int FramesPerSecond, TimeStyle Time)
{
    /// <summary>Default of <c>--fps</c>: smooth enough for data that changes twice a second, and cheap on a busy machine.</summary>
    public const int DefaultFramesPerSecond = 10;

    /// <summary>Whether the screen handles the mouse. If false, the terminal handles it, and the user can select text.</summary>
    public bool Mouse { get; init; } = true;

    /// <summary>Returns the options for <see cref="ScreenHost"/>, which runs the screen in the terminal.</summary>
    public HostOptions HostOptions(Look look) => new()
    {
        Tick = TimeSpan.FromSeconds(1.0 / FramesPerSecond), Mouse = Mouse, Glyphs = look.Glyphs,
        HasSixteenColors = look.Depth != ColorDepth.TrueColor,
    };

    /// <summary>The appearance for commands without screen options, which show only the list to choose a process from.</summary>
    public static ScreenAppearance Default { get; } = new("auto", "auto", null, DefaultFramesPerSecond, TimeStyle.Utc);
}

/// <summary>Properties of the terminal that determine what tpwatch writes.</summary>
/// <param name="IsInteractive">Whether tpwatch can read keys and draw a screen.</param>
/// <param name="Width">Number of columns; null if the output does not go to a terminal.</param>
sealed record TerminalFacts(bool IsInteractive, int? Width)
{
    /// <summary>Whether standard error is a terminal in which a line can be overwritten.</summary>
    public bool IsErrorSeen { get; init; }

    /// <summary>The properties if the output goes to a pipe or a file.</summary>
    public static TerminalFacts None { get; } = new(IsInteractive: false, Width: null);

    public static TerminalFacts OfThisProcess()
    {
        var dumb = string.Equals(Environment.GetEnvironmentVariable("TERM"), "dumb", StringComparison.Ordinal);
        var interactive = ScreenHost.IsPossible(Environment.GetEnvironmentVariable);
        return new(interactive, Console.IsOutputRedirected ? null : TerminalWidth.Columns())
        {
            IsErrorSeen = !Console.IsErrorRedirected && !dumb,
        };
    }
}

/// <summary>
/// Determines the width of the terminal at standard output. On Linux, it asks the kernel: <c>Console.WindowWidth</c> would switch the
/// terminal to keypad mode, and a short command would not switch the mode back.
/// </summary>
static partial class TerminalWidth
{
    const int Output = 1;

    /// <summary>The number of the ioctl request TIOCGWINSZ on Linux, the same on all architectures that .NET supports.</summary>
    const nuint GetWindowSize = 0x5413;

    /// <summary>Returns the number of columns of the terminal; null if unknown.</summary>
    public static int? Columns()
    {
        if (!OperatingSystem.IsLinux())
        {
            return Console.WindowWidth is > 0 and var told ? told : null;
        }

        var size = default(Size);
        return Ask(Output, GetWindowSize, ref size) == 0 && size.Columns > 0 ? size.Columns : null;
    }

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    private static partial int Ask(int file, nuint what, ref Size size);

    [StructLayout(LayoutKind.Sequential)]
    struct Size
    {
        public ushort Rows;
        public ushort Columns;
        public ushort Width;
        public ushort Height;
    }
}

/// <summary>Builds the command line with which tpwatch starts its own executable as a child process.</summary>
static class OwnProgram
{
    /// <summary>The command line of the child process that reads a target's memory; null if tpwatch runs inside another program.</summary>
    public static LaunchSpec? Reader => Of(
        Environment.ProcessPath, Assembly.GetEntryAssembly()?.GetName().Name == Name, AppContext.BaseDirectory);

    // Name of tpwatch's assembly. Names are compared instead of assemblies, because serve loads tpwatch's assembly twice.
    static string? Name => typeof(OwnProgram).Assembly.GetName().Name;

    /// <summary>Returns the command line that starts tpwatch once more; null if the process runs another program.</summary>
    /// <param name="file">The executable of the current process; null if unknown.</param>
    /// <param name="isTool">Whether tpwatch is the program that runs in the process.</param>
    /// <param name="folder">The folder with the assemblies of the process.</param>
    internal static LaunchSpec? Of(string? file, bool isTool, string folder) =>
        file is null || !isTool ? null
        : Path.GetFileNameWithoutExtension(file) == "dotnet"
            ? new(file, ["exec", Path.Combine(folder, Name + ".dll")])
        : new(file, []);
}

/// <summary>The version of tpwatch.</summary>
static class ToolVersion
{
    /// <summary>The version with the commit of its source, as <c>--version</c> prints it.</summary>
    public static string Whole { get; } =
        typeof(ToolVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0.0.0";

    /// <summary>The version without the commit, such as <c>0.1.0</c>.</summary>
    public static string Text { get; } = Whole.Split('+')[0];
}
