namespace Tpwatch.Screen.FrontEnds;

/// <summary>How a front end runs.</summary>
sealed record FrontEndOptions
{
    /// <summary>Ten frames a second: the screen's finest column is 50 ms, and nobody reads faster.</summary>
    public static readonly TimeSpan DefaultTick = TimeSpan.FromMilliseconds(100);

    /// <summary>A target whose reader is stopped is held up itself; but the user waits for the shell.</summary>
    public static readonly TimeSpan SuspendLimit = TimeSpan.FromSeconds(3);

    /// <summary>Time between two looks for news.</summary>
    public TimeSpan Tick { get; init; } = DefaultTick;

    /// <summary>Paces ticks and bounds waits.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Ends the session before Ctrl+Z stops this process; bounded by <see cref="SuspendLimit"/>.</summary>
    public Func<CancellationToken, Task>? BeforeSuspend { get; init; }

    /// <summary>Opens a session again after <c>fg</c>; runs beside the screen, and a failure of it ends the run.</summary>
    public Func<CancellationToken, Task>? AfterResume { get; init; }
}
