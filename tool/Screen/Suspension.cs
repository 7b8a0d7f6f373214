using System.Runtime.InteropServices;

namespace Tpwatch.Screen;

/// <summary>
/// Ctrl+Z and <c>fg</c>. The signal is taken from .NET, which would stop us at once, with the alternate screen still there and the
/// session still open; <see cref="Stop"/> does it when everything is in order. A read in the background fails instead of stopping us once
/// more: a stopped process that is killed (<c>kill %1</c>) must get to its end.
/// </summary>
sealed class Suspension : IDisposable
{
    const int ContinueLooks = 50;
    static readonly TimeSpan ContinueLook = TimeSpan.FromMilliseconds(20);

    /// <summary>After <c>bg</c>; <c>fg</c> of a running job sends no signal.</summary>
    static readonly TimeSpan ForegroundLook = TimeSpan.FromMilliseconds(100);

    /// <summary>Two seconds: on a machine without time it takes long until another process stops.</summary>
    const int StopLooks = 1000;
    static readonly TimeSpan StopLook = TimeSpan.FromMilliseconds(2);

    readonly PosixSignalRegistration[] registrations;
    readonly Waker waker;
    volatile TaskCompletionSource asked = NotAsked();
    volatile bool continued;
    volatile bool byKey;

    /// <summary>Signals that we have sent to the group, ourselves included, and not got yet.</summary>
    int ours;

    public Suspension(Waker waker)
    {
        this.waker = waker;
        IgnoreBackgroundUse();
        registrations = OperatingSystem.IsWindows()
            ? []
            : [PosixSignalRegistration.Create(PosixSignal.SIGTSTP, OnStop),
                PosixSignalRegistration.Create(PosixSignal.SIGCONT, OnContinue)];
    }

    /// <summary>Whether Ctrl+Z was pressed and not served yet.</summary>
    public bool Requested => asked.Task.IsCompleted;

    /// <summary>Completes when Ctrl+Z is pressed; after it was served, another does.</summary>
    public Task Asked => asked.Task;

    /// <summary>
    /// Ctrl+Z came as a key: the library switches the terminal's own signals off. Who else is in the job gets its signal from
    /// <see cref="Stop"/>, no earlier: <c>dotnet tpwatch</c> is two processes, the shell goes on as soon as the first has stopped, and what
    /// it then says must not land on the screen that we leave.
    /// </summary>
    public void Request()
    {
        byKey = true;
        Ask();
    }

    /// <summary>Stops this process; returns when it was continued. Does not stop when <c>fg</c> came first.</summary>
    public void Stop()
    {
        asked = NotAsked();
        var all = byKey && !OperatingSystem.IsWindows();
        byKey = false;
        if (all)
        {
            StopOthers();
        }

        // `dotnet tpwatch` is two processes: the host stops at once, we only now. When it runs again, `fg` came in between, and whoever
        // stopped now would not be continued any more.
        if (!continued && !Libc.StarterRuns() && Libc.Kill(Environment.ProcessId, Libc.SigStop) == 0)
        {
            WaitUntilContinued();
        }
    }

    /// <summary>
    /// For a screen, which has nothing to do in the background: returns when the terminal is ours again, or we shall end.
    /// </summary>
    public void WaitForForeground(CancellationToken stop)
    {
        while (!Libc.IsForeground && !stop.IsCancellationRequested)
        {
            waker.WaitOne(ForegroundLook);
        }
    }

    public void Dispose()
    {
        foreach (var registration in registrations)
        {
            registration.Dispose();
        }
    }

    // The signal that the terminal would have sent; a shell without jobs is of our group and ignores it. It takes a moment.
    void StopOthers()
    {
        Interlocked.Increment(ref ours);
        if (Libc.Kill(0, Libc.SigTstp) != 0)
        {
            Interlocked.Decrement(ref ours);
        }

        for (var looks = 0; !continued && Libc.StarterRuns() && looks < StopLooks; looks++)
        {
            Thread.Sleep(StopLook);
        }
    }

    void WaitUntilContinued()
    {
        // The call may come back a moment before the stop takes hold of this thread; nothing may be drawn in that moment.
        for (var looks = 0; !continued && looks < ContinueLooks; looks++)
        {
            waker.WaitOne(ContinueLook);
        }
    }

    static TaskCompletionSource NotAsked() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    // For the rest of the process: reads fail in the background instead of stopping us, and the terminal's modes can be given back there.
    static void IgnoreBackgroundUse()
    {
        if (!OperatingSystem.IsWindows())
        {
            Libc.Signal(Libc.SigTtin, Libc.Ignore);
            Libc.Signal(Libc.SigTtou, Libc.Ignore);
        }
    }

    void OnStop(PosixSignalContext context)
    {
        context.Cancel = true;
        if (Interlocked.Decrement(ref ours) < 0)
        {
            Interlocked.Exchange(ref ours, 0);
            Ask();
        }
    }

    void Ask()
    {
        continued = false;
        asked.TrySetResult();
        waker.Wake();
    }

    void OnContinue(PosixSignalContext context)
    {
        context.Cancel = true;
        continued = true;
        waker.Wake();
    }
}
