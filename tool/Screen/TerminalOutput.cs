using System.Runtime.InteropServices;
using System.Text;

namespace Tpwatch.Screen;

/// <summary>
/// Writes bytes to standard output, on Unix without <see cref="Console"/>'s stream: that stream shares a lock with the reader of keys, and
/// hides that the terminal is gone.
/// </summary>
sealed class TerminalOutput
{
    /// <summary>
    /// Time without output after which a terminal counts as gone, milliseconds; applies only to a non-blocking descriptor.
    /// </summary>
    const int PatienceMs = 2000;

    const int RetryMs = 5;

    readonly Stream? console = OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : null;

    /// <summary>Writes a text; returns false when the terminal is gone.</summary>
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
