using System.Runtime.InteropServices;

namespace Tpwatch.Run;

/// <summary>The first Ctrl+C, Ctrl+\, SIGTERM or SIGHUP requests an orderly stop; the second ends the process at once.</summary>
sealed class StopSignals : IDisposable
{
    /// <summary>Base of the exit code after a signal, to which the signal's number is added, as in shells.</summary>
    const int SignalBase = 128;

    readonly CancellationTokenSource stop = new();
    readonly PosixSignalRegistration[] registrations;
    readonly Action<int> leave;
    int seen;

    /// <summary>Registers the handlers; <paramref name="leave"/> ends the process with an exit code.</summary>
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

    // A signal handler can still run after its registration was disposed.
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
        // A closing terminal sends SIGHUP more than once within milliseconds; a repeated SIGHUP is not a second request.
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
