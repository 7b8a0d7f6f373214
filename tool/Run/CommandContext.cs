using System.Reflection;
using System.Runtime.InteropServices;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Engine, streams, terminal and clock of one run; created once in <c>Program.cs</c>, and from fakes in tests.</summary>
/// <param name="Engine">Finds processes, attaches to processes, and replays recordings.</param>
/// <param name="Out">Receives results and nothing else.</param>
/// <param name="Error">Receives notes and errors.</param>
/// <param name="Terminal">Properties of the terminal that the output goes to, or of a missing terminal.</param>
/// <param name="Time">The clock for all waits and time limits.</param>
/// <param name="Stop">Token that the first Ctrl+C, Ctrl+\, SIGTERM or SIGHUP cancels.</param>
sealed record CommandContext(
    IEngine Engine, TextWriter Out, TextWriter Error, TerminalFacts Terminal, TimeProvider Time, CancellationToken Stop)
{
    /// <summary>The words after <c>--</c> on the command line, which name a program to launch; null without <c>--</c>.</summary>
    public IReadOnlyList<string>? Command { get; init; }

    /// <summary>Name of the process, written before each note if tpwatch watches several processes; null if it watches one.</summary>
    public string? About { get; init; }

    /// <summary>Callback that shows the screen; null if no screen is available, and the command prints lines instead.</summary>
    public ShowScreen? Screen { get; init; }

    /// <summary>Callback that shows the wait for a process on the screen; null if there is no screen, and a note is written.</summary>
    public ShowWaitingIn? Waiting { get; init; }

    /// <summary>Callback that lets the user choose a process; null if there is no terminal, and the command lists the processes.</summary>
    public PickTarget? Picker { get; init; }

    /// <summary>Writes a note to standard error: one sentence, and below it an optional hint for the user.</summary>
    public void Note(string sentence, string? hint = null)
    {
        try
        {
            // A process name may contain a line break, and a build server interprets a line that begins with "::" as a command.
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
            // Standard error is closed or its disk is full. The note is lost, but results are still written.
        }
    }
}

/// <summary>
/// Callback that shows an observation on the screen until the user quits or <paramref name="stop"/> is cancelled; restores the terminal.
/// </summary>
delegate Task ShowScreen(IWatch watch, ScreenRequest request, CancellationToken stop);

/// <summary>
/// Callback that shows the wait for a process until the user quits or <paramref name="stop"/> is cancelled; restores the terminal.
/// </summary>
delegate Task ShowWaiting(WaitingFor what, CancellationToken stop);

/// <summary>Callback that shows, in the requested appearance of the screen, that tpwatch waits for a process.</summary>
delegate Task ShowWaitingIn(WaitingFor what, ScreenRequest look, CancellationToken stop);

/// <summary>Callback that lets the user choose a process of this machine; returns null if the user chose none.</summary>
/// <param name="engine">Finds the processes, and watches each of them for a few seconds.</param>
/// <param name="request">The appearance of the screen.</param>
/// <param name="stop">Cancels the choice.</param>
delegate Task<ProcessRow?> PickTarget(IEngine engine, ScreenRequest request, CancellationToken stop);

/// <summary>The requested appearance of the screen, in the words of the command line.</summary>
/// <param name="Color">auto, always, never, 16 or truecolor.</param>
/// <param name="Glyphs">auto, braille, block or ascii.</param>
/// <param name="Theme">Name of a theme; null for the default.</param>
/// <param name="FramesPerSecond">Maximum number of redraws per second.</param>
/// <param name="Time">How points in time are written.</param>
sealed record ScreenRequest(string Color, string Glyphs, string? Theme, int FramesPerSecond, TimeStyle Time)
{
    /// <summary>Default of <c>--fps</c>: smooth enough for data that changes twice a second, and little work for a busy machine.</summary>
    public const int DefaultFramesPerSecond = 10;

    /// <summary>Whether the screen handles the mouse; if not, the terminal's own selection works.</summary>
    public bool Mouse { get; init; } = true;

    /// <summary>Returns the options of the terminal host for this request.</summary>
    public HostOptions HostOptions(Look look) => new()
    {
        Tick = TimeSpan.FromSeconds(1.0 / FramesPerSecond), Mouse = Mouse, Glyphs = look.Glyphs,
        HasSixteenColors = look.Depth != ColorDepth.TrueColor,
    };

    /// <summary>The request of commands that show the process picker but no screen.</summary>
    public static ScreenRequest Default { get; } = new("auto", "auto", null, DefaultFramesPerSecond, TimeStyle.Utc);
}

/// <summary>The properties of the terminal that the output of tpwatch depends on.</summary>
/// <param name="IsInteractive">Whether tpwatch can read keys and draw a screen: input and output are a terminal that supports more than
/// lines.</param>
/// <param name="Width">Number of columns of the terminal; null if the output does not go to a terminal.</param>
sealed record TerminalFacts(bool IsInteractive, int? Width)
{
    /// <summary>Whether standard error is a terminal that supports a carriage return.</summary>
    public bool IsErrorSeen { get; init; }

    /// <summary>The facts if the output goes to a pipe, a file or a log instead of a terminal.</summary>
    public static TerminalFacts None { get; } = new(IsInteractive: false, Width: null);

    /// <summary>Returns the facts about the terminal of this process.</summary>
    public static TerminalFacts OfThisProcess()
    {
        var dumb = string.Equals(Environment.GetEnvironmentVariable("TERM"), "dumb", StringComparison.Ordinal);
        var interactive = ScreenHost.IsPossible(Environment.GetEnvironmentVariable);
        return new(interactive, Console.IsOutputRedirected ? null : WindowWidth.Columns())
        {
            IsErrorSeen = !Console.IsErrorRedirected && !dumb,
        };
    }
}

/// <summary>
/// The width of the terminal at standard output. On Linux, tpwatch asks the kernel, since <c>Console.WindowWidth</c> first switches the
/// terminal to keypad mode. A command that prints ten lines would leave the terminal in that mode.
/// </summary>
static partial class WindowWidth
{
    const int Output = 1;

    /// <summary>The request TIOCGWINSZ of Linux; the number is the same on all architectures that .NET supports.</summary>
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

/// <summary>The command line by which tpwatch starts its own executable as a child process.</summary>
static class OwnProgram
{
    /// <summary>The command for the child process that reads a target's memory; null if tpwatch runs inside another program.</summary>
    public static ProgramStart? Reader => Of(
        Environment.ProcessPath, Assembly.GetEntryAssembly()?.GetName().Name == Name, AppContext.BaseDirectory);

    // Compared by name, because serve loads the same assembly a second time, in another load context.
    static string? Name => typeof(OwnProgram).Assembly.GetName().Name;

    /// <summary>Returns the command that starts tpwatch once more; null if the process runs another program.</summary>
    /// <param name="file">The executable of the current process; null if unknown.</param>
    /// <param name="isTool">Whether tpwatch is the program that runs in the process.</param>
    /// <param name="folder">The folder with the assemblies of the process.</param>
    internal static ProgramStart? Of(string? file, bool isTool, string folder) =>
        file is null || !isTool ? null
        : Path.GetFileNameWithoutExtension(file) == "dotnet"
            ? new(file, ["exec", Path.Combine(folder, Name + ".dll")])
        : new(file, []);
}

/// <summary>The version of tpwatch.</summary>
static class ToolVersion
{
    /// <summary>The version together with the commit of its source, as printed by <c>--version</c>.</summary>
    public static string Whole { get; } =
        typeof(ToolVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0.0.0";

    /// <summary>The version without the commit, such as <c>0.1.0</c>, so that reports of one version are equal.</summary>
    public static string Text { get; } = Whole.Split('+')[0];
}
