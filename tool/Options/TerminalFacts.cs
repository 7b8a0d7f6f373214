using System.Runtime.InteropServices;
using Tpwatch.Screen;

namespace Tpwatch.Options;

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
