using Tpwatch.Screen.State;

namespace Tpwatch.Screen;

/// <summary>Options of <see cref="ScreenHost"/>.</summary>
sealed record HostOptions
{
    /// <summary>Ten updates per second: the finest column of the screen covers 50 ms, and users cannot read faster.</summary>
    public static readonly TimeSpan DefaultTick = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Longest time for ending the session before this process stops. A target whose events are not read is held up itself, so the session
    /// must end; but the user waits for the shell.
    /// </summary>
    public static readonly TimeSpan SuspendLimit = TimeSpan.FromSeconds(3);

    /// <summary>Time between two updates of the screen.</summary>
    public TimeSpan Tick { get; init; } = DefaultTick;

    /// <summary>The clock for updates and time limits.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Whether the screen uses the mouse; else the terminal keeps it.</summary>
    public bool Mouse { get; init; } = true;

    /// <summary>The characters that the terminal can show.</summary>
    public GlyphSet Glyphs { get; init; } = GlyphSet.Braille;

    /// <summary>Whether the screen uses at most the terminal's sixteen colours.</summary>
    public bool HasSixteenColors { get; init; }

    /// <summary>Ends the session before Ctrl+Z stops this process; bounded by <see cref="SuspendLimit"/>.</summary>
    public Func<CancellationToken, Task>? BeforeSuspend { get; init; }

    /// <summary>Opens a session again after <c>fg</c>; runs concurrently with the screen, and its failure ends the run.</summary>
    public Func<CancellationToken, Task>? AfterResume { get; init; }
}
