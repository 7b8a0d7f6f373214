namespace Tpwatch.Screen;

/// <summary>
/// The line discipline of the terminal, kept as the opaque bytes the C library gives: echo and line editing as the shell had them, and
/// as the reader of keys needs them. .NET restores them at exit, but not when we stop for Ctrl+Z.
/// </summary>
sealed class TerminalModes
{
    // struct termios has 60 bytes on Linux and 72 on macOS.
    readonly byte[] bytes = new byte[256];
    bool known;

    /// <summary>Whether there was a terminal; one whose window was closed answers no more.</summary>
    public bool AreKnown => known;

    /// <summary>What the terminal does now.</summary>
    public static TerminalModes Current()
    {
        var modes = new TerminalModes();
        modes.Read();
        return modes;
    }

    /// <summary>Makes the terminal do that again; nothing where there is no terminal.</summary>
    public unsafe void Apply()
    {
        if (!known)
        {
            return;
        }

        fixed (byte* first = bytes)
        {
            Libc.SetModes(Libc.Stdin, Libc.Now, first);
        }
    }

    /// <summary>Makes the terminal do that again where it does something else now.</summary>
    public void Keep(TerminalModes now)
    {
        if (now.known && !now.bytes.AsSpan().SequenceEqual(bytes))
        {
            Apply();
        }
    }

    unsafe void Read()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        fixed (byte* first = bytes)
        {
            known = Libc.GetModes(Libc.Stdin, first) == 0;
        }
    }
}
