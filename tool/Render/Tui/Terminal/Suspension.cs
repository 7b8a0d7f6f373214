using System.Runtime.InteropServices;

namespace Tpwatch.Render.Tui.Terminal;

/// <summary>
/// Ctrl+Z and <c>fg</c>. The signal is taken from .NET, which would stop us at once, with the alternate screen still there and the
/// session still open; <see cref="Stop"/> does it when everything is in order.
/// </summary>
internal sealed class Suspension : IDisposable
{
    const int ContinueLooks = 50;
    const int ContinueLookMs = 20;

    readonly PosixSignalRegistration[] registrations;
    readonly AutoResetEvent wake;
    volatile bool requested;
    volatile bool continued;

    public Suspension(AutoResetEvent wake)
    {
        this.wake = wake;
        registrations = OperatingSystem.IsWindows()
            ? []
            : [PosixSignalRegistration.Create(PosixSignal.SIGTSTP, OnStop), PosixSignalRegistration.Create(PosixSignal.SIGCONT, OnContinue)];
    }

    /// <summary>Whether Ctrl+Z was pressed and not served yet.</summary>
    public bool Requested => requested;

    /// <summary>Stops this process; returns when it was continued. Does not stop when <c>fg</c> came first.</summary>
    public void Stop()
    {
        requested = false;
        if (continued || Libc.Kill(Environment.ProcessId, Libc.SigStop) != 0)
        {
            return;
        }

        // The call may come back a moment before the stop takes hold of this thread; nothing may be drawn in that moment.
        for (var looks = 0; !continued && looks < ContinueLooks; looks++)
        {
            wake.WaitOne(ContinueLookMs);
        }
    }

    public void Dispose()
    {
        foreach (var registration in registrations)
        {
            registration.Dispose();
        }
    }

    void OnStop(PosixSignalContext context)
    {
        context.Cancel = true;
        continued = false;
        requested = true;
        wake.Set();
    }

    void OnContinue(PosixSignalContext context)
    {
        context.Cancel = true;
        continued = true;
        wake.Set();
    }
}
