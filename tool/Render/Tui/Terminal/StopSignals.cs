using System.Runtime.InteropServices;

namespace Tpwatch.Render.Tui.Terminal;

/// <summary>
/// Ctrl+C, SIGTERM and SIGHUP as a token: the first asks for an orderly end, the second leaves at once with the exit code shells
/// expect (128 and the signal's number). Whoever holds the terminal gives it back when the process exits.
/// </summary>
internal sealed class StopSignals : IDisposable
{
    const int SigHup = 1;
    const int SigInt = 2;
    const int SigTerm = 15;

    readonly CancellationTokenSource source = new();
    readonly PosixSignalRegistration[] registrations;
    int seen;

    public StopSignals() => registrations =
    [
        PosixSignalRegistration.Create(PosixSignal.SIGINT, c => OnSignal(c, SigInt)),
        PosixSignalRegistration.Create(PosixSignal.SIGTERM, c => OnSignal(c, SigTerm)),
        PosixSignalRegistration.Create(PosixSignal.SIGHUP, c => OnSignal(c, SigHup)),
    ];

    /// <summary>Set by the first signal.</summary>
    public CancellationToken Token => source.Token;

    public void Dispose()
    {
        foreach (var registration in registrations)
        {
            registration.Dispose();
        }

        source.Dispose();
    }

    void OnSignal(PosixSignalContext context, int number)
    {
        context.Cancel = true;
        if (Interlocked.Increment(ref seen) == 1)
        {
            source.Cancel();
        }
        else
        {
            Environment.Exit(128 + number);
        }
    }
}
