using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.Run;

/// <summary>Handles signals: the first Ctrl+C, Ctrl+\, SIGTERM or SIGHUP stops tpwatch in order, the second at once.</summary>
sealed class StopSignals : IDisposable
{
    /// <summary>The exit code after a signal is this value plus the number of the signal, as in shells.</summary>
    const int SignalBase = 128;

    readonly CancellationTokenSource stop = new();
    readonly PosixSignalRegistration[] registrations;
    readonly Action<int> leave;
    int seen;

    /// <summary>Registers the handlers. <paramref name="leave"/> is a callback that ends the process with an exit code.</summary>
    public StopSignals(Action<int> leave)
    {
        this.leave = leave;
        registrations =
        [
            Register(PosixSignal.SIGINT, 2), Register(PosixSignal.SIGTERM, 15), Register(PosixSignal.SIGHUP, 1),
            Register(PosixSignal.SIGQUIT, 3),
        ];
    }

    /// <summary>Token that the first signal cancels.</summary>
    public CancellationToken Stop => stop.Token;

    public void Dispose()
    {
        foreach (var registration in registrations)
        {
            registration.Dispose();
        }

        stop.Dispose();
    }

    // Cancels the token. A signal handler can still run after Dispose, so a disposed token source is ignored.
    void Cancel()
    {
        try
        {
            stop.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The program is already ending.
        }
    }

    PosixSignalRegistration Register(PosixSignal signal, int number) => PosixSignalRegistration.Create(signal, context =>
    {
        context.Cancel = true;
        // A terminal that closes sends several SIGHUPs within milliseconds, so a repeated SIGHUP is not a second request.
        var repeats = signal == PosixSignal.SIGHUP && stop.IsCancellationRequested;
        if (!repeats && Interlocked.Increment(ref seen) == 1)
        {
            Cancel();
        }
        else if (!repeats)
        {
            leave(SignalBase + number);
        }
    });
}

/// <summary>
/// Checks the limit of open files before any other work, because the .NET runtime alone opens sixty files. With a low limit, tpwatch cannot
/// load its assemblies, or the target seems to be dead. Uses only the core library and no other class of tpwatch.
/// </summary>
static class OpenFileLimit
{
    const int Enough = 128;
    const string Limits = "/proc/self/limits";
    const string Line = "Max open files";
    const int StandardError = 2;

    /// <summary>Whether the limit of open files is high enough. If not, writes a message to standard error.</summary>
    public static bool Suffice()
    {
        if (Read() is not { } limits || Allowed(limits) is not { } allowed || allowed >= Enough)
        {
            return true;
        }

        Say(string.Create(CultureInfo.InvariantCulture,
            $"tpwatch: tpwatch needs {Enough} open files, but the limit here is {allowed}.\n  Raise the limit: ulimit -n 1024.\n"));
        return false;
    }

    /// <summary>Returns the soft limit of open files in the text of /proc/self/limits; null if there is none.</summary>
    internal static int? Allowed(string limits) =>
        limits.IndexOf(Line, StringComparison.Ordinal) is >= 0 and var at
        && limits[(at + Line.Length)..].TrimStart(' ').Split(' ', 2) is [var first, ..]
        && int.TryParse(first, CultureInfo.InvariantCulture, out var soft)
            ? soft
            : null;

    // Returns null if the limits cannot be read. tpwatch then runs without the check.
    static string? Read()
    {
        try
        {
            return File.ReadAllText(Limits);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    static void Say(string text)
    {
        try
        {
            using var handle = new SafeFileHandle(StandardError, ownsHandle: false);
            using var error = new FileStream(handle, FileAccess.Write, bufferSize: 0);
            error.Write(Encoding.UTF8.GetBytes(text));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Standard error is closed or its disk is full. The exit code still shows the failure.
        }
    }
}
