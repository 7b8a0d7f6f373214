using System.Runtime.InteropServices;
using Tpwatch.Screen;

namespace Tpwatch.Options;

/// <summary>What the process talks to.</summary>
/// <param name="IsInteractive">Keys can be read and a screen can be drawn: input and output are a
/// terminal that understands more than lines.</param>
/// <param name="Width">Columns of the terminal; null when the output goes elsewhere.</param>
sealed record TerminalFacts(bool IsInteractive, int? Width)
{
    /// <summary>Somebody sees standard error on a terminal that understands a return to the beginning of the line.</summary>
    public bool IsErrorSeen { get; init; }

    /// <summary>A pipe, a file or a log.</summary>
    public static TerminalFacts None { get; } = new(IsInteractive: false, Width: null);

    /// <summary>What this process talks to.</summary>
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
/// How wide the terminal of standard output is. Asked of the kernel where that is possible: the console's own property switches the
/// terminal to keypad mode first, and a verb that prints ten lines would leave it so.
/// </summary>
static partial class WindowWidth
{
    const int Output = 1;

    /// <summary>TIOCGWINSZ of Linux on all its architectures that .NET runs on.</summary>
    const nuint GetWindowSize = 0x5413;

    /// <summary>Columns; null where nobody tells.</summary>
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
