using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Tpwatch.Screen.Frame;

namespace Tpwatch.Screen.FrontEnds.Ansi;

/// <summary>One run of the screen: keys, news, size, Ctrl+Z, frames. Everything happens on the thread that runs it.</summary>
sealed class AnsiRun : IDisposable
{
    /// <summary>A frame is due after so long even while keys keep coming.</summary>
    static readonly TimeSpan LongestBurst = TimeSpan.FromMilliseconds(50);

    readonly FrontEndOptions options;
    readonly FrameLoop loop;
    readonly Waker waker = new();
    readonly TerminalOutput output = new();
    readonly AlternateScreen screen;
    readonly KeyReader keys;
    readonly Suspension suspension;
    readonly PosixSignalRegistration? resized;
    Task? resuming;
    volatile bool sizeChanged;
    long lastTick;

    public AnsiRun(IUiApp app, FrontEndOptions options, KeyReader keys)
    {
        this.options = options;
        this.keys = keys;
        loop = new FrameLoop(app);
        screen = new AlternateScreen(output);
        suspension = new Suspension(waker);
        resized = OperatingSystem.IsWindows() ? null : PosixSignalRegistration.Create(PosixSignal.SIGWINCH, OnResize);
    }

    public void Wake() => waker.Wake();

    public void UntilEnd(CancellationToken stop)
    {
        // The first question makes .NET set up its console; that must not happen in the middle of a frame.
        _ = Size();
        var alive = screen.Enter();
        keys.Start(waker);
        loop.Tick();
        while (alive && !stop.IsCancellationRequested && !loop.HasQuit && !keys.Closed)
        {
            alive = Draw();
            waker.WaitOne(UntilNextTick());
            TakeKeys();
            TickWhenDue();
            ServeSuspension(stop);
            ThrowIfResumeFailed();
        }
    }

    public void Dispose()
    {
        keys.Leave();
        screen.Dispose();
        resized?.Dispose();
        suspension.Dispose();
        waker.Dispose();
    }

    bool Draw()
    {
        if (sizeChanged)
        {
            sizeChanged = false;
            loop.Distrust();
        }

        var (width, height) = Size();
        if (loop.NextFrame(width, height) is not { } frame)
        {
            return true;
        }

        var arrived = output.Write(FrameDiff.Between(loop.Shown, frame));
        loop.Put(frame);
        return arrived;
    }

    void TakeKeys()
    {
        var start = options.Time.GetTimestamp();
        while (!loop.HasQuit && keys.TryTake(out var key))
        {
            loop.OnKey(key);
            Clip();
            if (options.Time.GetElapsedTime(start) > LongestBurst)
            {
                waker.Wake();
                return;
            }
        }
    }

    void Clip()
    {
        if (loop.TakeClip() is { } text)
        {
            output.Write(Osc52.Of(text));
        }
    }

    void TickWhenDue()
    {
        if (UntilNextTick() == TimeSpan.Zero)
        {
            lastTick = options.Time.GetTimestamp();
            loop.Tick();
        }
    }

    TimeSpan UntilNextTick()
    {
        var left = options.Tick - options.Time.GetElapsedTime(lastTick);
        return left > TimeSpan.Zero && left <= options.Tick ? left : TimeSpan.Zero;
    }

    void ServeSuspension(CancellationToken stop)
    {
        if (!suspension.Requested || loop.HasQuit || stop.IsCancellationRequested)
        {
            return;
        }

        EndSession();
        var modes = TerminalModes.Current();
        screen.Leave();
        suspension.Stop();
        suspension.WaitForForeground(stop);
        if (stop.IsCancellationRequested)
        {
            return;
        }

        modes.Apply();
        screen.Enter();
        loop.Distrust();
        resuming = options.AfterResume?.Invoke(stop);
    }

    // The hook gets a token and a limit; whether it keeps to them or not, the user gets the shell.
    void EndSession()
    {
        if (options.BeforeSuspend is not { } hook)
        {
            return;
        }

        using var limit = new CancellationTokenSource(FrontEndOptions.SuspendLimit, options.Time);
        var ending = hook(limit.Token);
        while (!ending.IsCompleted && !limit.IsCancellationRequested)
        {
            waker.WaitOne(options.Tick);
        }

        Rethrow(ending);
    }

    void ThrowIfResumeFailed() => Rethrow(resuming);

    static void Rethrow(Task? task)
    {
        if (task?.Exception is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure.InnerExceptions[0]);
        }
    }

    void OnResize(PosixSignalContext context)
    {
        sizeChanged = true;
        waker.Wake();
    }

    // Asked every time: .NET keeps the answer until the terminal says it changed, and on Windows nobody says so.
    static (int Width, int Height) Size()
    {
        try
        {
            return (Console.WindowWidth, Console.WindowHeight);
        }
        catch (IOException)
        {
            return (0, 0);
        }
    }
}
