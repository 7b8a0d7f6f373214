using System.Collections.Concurrent;
using Terminal.Gui.Drivers;
using Terminal.Gui.Input;
using Terminal.Gui.Views;

namespace Terminal.Gui.App;

public static class Application
{
    /// <summary>Ours alone: hands a test the application that the adapter creates on this thread.</summary>
    [ThreadStatic]
    static Action<StandInApplication>? created;

    public static IApplication Create()
    {
        var application = new StandInApplication();
        created?.Invoke(application);
        return application;
    }

    public static void OnCreate(Action<StandInApplication>? told) => created = told;
}

public interface IApplication : IDisposable
{
    IDriver? Driver { get; set; }

    IKeyboard Keyboard { get; set; }

    IApplication Init(string? driverName = null);

    object? Run(Runnable runnable, Func<Exception, bool>? errorHandler = null);

    void Invoke(Action action);

    void RequestStop();

    object? AddTimeout(TimeSpan time, Func<bool> callback);
}

public interface IKeyboard
{
    KeyBindings KeyBindings { get; }
}

public sealed class StandInKeyboard : IKeyboard
{
    public KeyBindings KeyBindings { get; } = new();
}

/// <summary>A loop on the thread that runs it: what was invoked, timers that are due, and a drawing when one is needed.</summary>
public sealed class StandInApplication : IApplication
{
    static readonly TimeSpan Idle = TimeSpan.FromMilliseconds(1);

    readonly ConcurrentQueue<Action> invoked = new();
    readonly List<(TimeSpan Every, Func<bool> Callback, long Last)> timeouts = [];
    volatile Runnable? running;
    bool stopping;

    public IDriver? Driver { get; set; }

    public IKeyboard Keyboard { get; set; } = new StandInKeyboard();

    public StandInDriver Screen => (StandInDriver)Driver!;

    public bool Disposed { get; private set; }

    public bool IsRunning => running is not null;

    public IApplication Init(string? driverName = null)
    {
        Driver = new StandInDriver();
        return this;
    }

    public object? Run(Runnable runnable, Func<Exception, bool>? errorHandler = null)
    {
        runnable.Host = this;
        running = runnable;
        try
        {
            while (!stopping)
            {
                RunOnce(runnable);
            }
        }
        finally
        {
            running = null;
        }

        return null;
    }

    public void Invoke(Action action) => invoked.Enqueue(action);

    public void RequestStop() => stopping = true;

    public object? AddTimeout(TimeSpan time, Func<bool> callback)
    {
        timeouts.Add((time, callback, TimeProvider.System.GetTimestamp()));
        return callback;
    }

    /// <summary>Ours alone: a key from outside.</summary>
    public void Press(Key key) => Invoke(() => running?.Take(key));

    public void Dispose() => Disposed = true;

    void RunOnce(Runnable runnable)
    {
        while (!stopping && invoked.TryDequeue(out var action))
        {
            action();
        }

        for (var i = timeouts.Count - 1; i >= 0 && !stopping; i--)
        {
            var (every, callback, last) = timeouts[i];
            if (TimeProvider.System.GetElapsedTime(last) >= every)
            {
                timeouts[i] = (every, callback, TimeProvider.System.GetTimestamp());
                callback();
            }
        }

        runnable.DrawWhenNeeded();
        Thread.Sleep(Idle);
    }
}
