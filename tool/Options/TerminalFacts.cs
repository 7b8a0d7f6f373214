using System.Runtime.InteropServices;
using Tpwatch.Screen;

namespace Tpwatch.Options;

/// <summary>The terminal of tpwatch, as far as output depends on it.</summary>
/// <param name="IsInteractive">Whether keys can be read and a screen can be drawn: input and output are a terminal that supports more
/// than lines.</param>
/// <param name="Width">Columns of the terminal; null if the output is not a terminal.</param>
sealed record TerminalFacts(bool IsInteractive, int? Width)
{
    /// <summary>Whether standard error is a terminal that supports a carriage return.</summary>
    public bool IsErrorSeen { get; init; }

    /// <summary>No terminal, but a pipe, a file or a log.</summary>
    public static TerminalFacts None { get; } = new(IsInteractive: false, Width: null);

    /// <summary>The terminal of this process.</summary>
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
/// The width of standard output's terminal. On Linux the kernel is queried directly, since <c>Console.WindowWidth</c> first switches the
/// terminal to keypad mode, and a command that prints ten lines would leave it in that mode.
/// </summary>
static partial class WindowWidth
{
    const int Output = 1;

    /// <summary>TIOCGWINSZ of Linux, on all architectures that .NET supports.</summary>
    const nuint GetWindowSize = 0x5413;

    /// <summary>Columns of the terminal; null when unknown.</summary>
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
