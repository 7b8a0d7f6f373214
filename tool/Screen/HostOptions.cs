using Tpwatch.Screen.State;

namespace Tpwatch.Screen;

/// <summary>Options of <see cref="ScreenHost"/>.</summary>
sealed record HostOptions
{
    /// <summary>Default time between two updates: the finest column of the screen covers 50 ms, and users cannot read faster.</summary>
    public static readonly TimeSpan DefaultTick = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Maximum time to end the session before this process stops. The session must end, because a target is held up while its events are
    /// not read. But the user waits for the shell.
    /// </summary>
    public static readonly TimeSpan SuspendLimit = TimeSpan.FromSeconds(3);

    /// <summary>Time between two updates of the screen.</summary>
    public TimeSpan Tick { get; init; } = DefaultTick;

    /// <summary>The clock for updates and time limits.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Whether the screen uses the mouse; else the terminal keeps the mouse.</summary>
    public bool Mouse { get; init; } = true;

    /// <summary>The characters that the terminal can show.</summary>
    public GlyphSet Glyphs { get; init; } = GlyphSet.Braille;

    /// <summary>Whether the screen uses only the terminal's sixteen colours.</summary>
    public bool HasSixteenColors { get; init; }

    /// <summary>Callback that ends the session before Ctrl+Z stops this process, limited by <see cref="SuspendLimit"/>.</summary>
    public Func<CancellationToken, Task>? BeforeSuspend { get; init; }

    /// <summary>Callback that opens a session again after <c>fg</c>, concurrently with the screen; a failure ends the run.</summary>
    public Func<CancellationToken, Task>? AfterResume { get; init; }
}
