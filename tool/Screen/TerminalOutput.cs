using System.Runtime.InteropServices;
using System.Text;

namespace Tpwatch.Screen;

/// <summary>
/// Standard output as bytes, one write a frame. Not through <see cref="Console"/>'s stream: that one shares a lock with
/// the reader of keys and hides that the other end is gone.
/// </summary>
sealed class TerminalOutput
{
    /// <summary>A terminal that takes nothing for so long is as good as gone (only where the descriptor is non-blocking).</summary>
    const int PatienceMs = 2000;

    const int RetryMs = 5;

    readonly Stream? console = OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : null;

    /// <summary>Whether the text has arrived; false when there is no terminal any more.</summary>
    public bool Write(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        if (console is null)
        {
            return WriteUnix(bytes);
        }

        console.Write(bytes);
        return true;
    }

    static unsafe bool WriteUnix(ReadOnlySpan<byte> bytes)
    {
        var waited = 0;
        while (bytes.Length > 0)
        {
            nint written;
            fixed (byte* first = bytes)
            {
                written = Libc.Write(Libc.Stdout, first, bytes.Length);
            }

            if (written >= 0)
            {
                bytes = bytes[(int)written..];
            }
            else if (!MayRetry(ref waited))
            {
                return false;
            }
        }

        return true;
    }

    static bool MayRetry(ref int waited)
    {
        var error = Marshal.GetLastPInvokeError();
        if (error == Libc.Interrupted)
        {
            return true;
        }

        if (error is not (Libc.TryAgain or Libc.TryAgainMacOs) || waited >= PatienceMs)
        {
            return false;
        }

        Thread.Sleep(RetryMs);
        waited += RetryMs;
        return true;
    }
}
