using System.Runtime.InteropServices;

namespace Tpwatch.Run;

/// <summary>The first Ctrl+C, Ctrl+\, SIGTERM or SIGHUP asks for an orderly stop; the second leaves at once.</summary>
sealed class StopSignals : IDisposable
{
    /// <summary>Shells say so of a program that a signal ended.</summary>
    const int SignalBase = 128;

    readonly CancellationTokenSource stop = new();
    readonly PosixSignalRegistration[] registrations;
    readonly Action<int> leave;
    int seen;

    /// <summary>Begins to listen; <paramref name="leave"/> ends the process with an exit code.</summary>
    public StopSignals(Action<int> leave)
    {
        this.leave = leave;
        registrations =
        [
            Register(PosixSignal.SIGINT, 2), Register(PosixSignal.SIGTERM, 15), Register(PosixSignal.SIGHUP, 1),
            Register(PosixSignal.SIGQUIT, 3),
        ];
    }

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken Stop => stop.Token;

    public void Dispose()
    {
        foreach (var registration in registrations)
        {
            registration.Dispose();
        }

        stop.Dispose();
    }

    // The handler of a signal can still be on its way when its registration is gone.
    void Cancel()
    {
        try
        {
            stop.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The program is at its end already.
        }
    }

    PosixSignalRegistration Register(PosixSignal signal, int number) => PosixSignalRegistration.Create(signal, context =>
    {
        context.Cancel = true;
        // A terminal that closes sends SIGHUP more than once, within milliseconds; nobody insists by it.
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
