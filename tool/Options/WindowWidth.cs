using System.Runtime.InteropServices;

namespace Tpwatch.Options;

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
