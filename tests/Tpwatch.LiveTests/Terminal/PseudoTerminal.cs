using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>The kernel's pseudo terminals, by the calls of the C library. Linux.</summary>
static class PseudoTerminal
{
    const int ReadWrite = 2;
    const int NoControllingTerminal = 0x100;
    const int CloseOnExec = 0x80000;
    const nuint SetWindowSize = 0x5414;
    const int LongestName = 64;

    /// <summary>Our side of a new one, and the name of the other side.</summary>
    public static (SafeFileHandle Master, string Name) Open(int width, int height)
    {
        var handle = Checked(posix_openpt(ReadWrite | NoControllingTerminal | CloseOnExec));
        Checked(grantpt(handle));
        Checked(unlockpt(handle));
        var name = new byte[LongestName];
        if (ptsname_r(handle, name, (nuint)name.Length) != 0)
        {
            throw new InvalidOperationException("a pseudo terminal without a name");
        }

        var master = new SafeFileHandle(handle, ownsHandle: true);
        Resize(master, width, height);
        return (master, Encoding.ASCII.GetString(name, 0, Array.IndexOf(name, (byte)0)));
    }

    public static void Resize(SafeFileHandle master, int width, int height)
    {
        var size = new WindowSize { Rows = (ushort)height, Columns = (ushort)width };
        Checked(ioctl(master, SetWindowSize, ref size));
    }

    static int Checked(int result) => result >= 0 ? result : throw new Win32Exception(Marshal.GetLastPInvokeError());

    [StructLayout(LayoutKind.Sequential)]
    struct WindowSize
    {
        public ushort Rows;
        public ushort Columns;
        public ushort PixelsX;
        public ushort PixelsY;
    }

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int posix_openpt(int flags);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int grantpt(int fd);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int unlockpt(int fd);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int ptsname_r(int fd, byte[] name, nuint length);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int ioctl(SafeFileHandle fd, nuint request, ref WindowSize size);
}
