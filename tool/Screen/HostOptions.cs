using Tpwatch.Screen.State;

namespace Tpwatch.Screen;

/// <summary>How a screen runs.</summary>
sealed record HostOptions
{
    /// <summary>Ten looks for news a second: the screen's finest column is 50 ms, and users read no faster.</summary>
    public static readonly TimeSpan DefaultTick = TimeSpan.FromMilliseconds(100);

    /// <summary>A target whose reader is stopped is held up itself; but the user waits for the shell.</summary>
    public static readonly TimeSpan SuspendLimit = TimeSpan.FromSeconds(3);

    /// <summary>Time between two looks for news.</summary>
    public TimeSpan Tick { get; init; } = DefaultTick;

    /// <summary>Paces ticks and bounds waits.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Whether the mouse is the screen's.</summary>
    public bool Mouse { get; init; } = true;

    /// <summary>The characters that may be shown.</summary>
    public GlyphSet Glyphs { get; init; } = GlyphSet.Braille;

    /// <summary>Whether the terminal has sixteen colours.</summary>
    public bool HasSixteenColors { get; init; }

    /// <summary>Ends the session before Ctrl+Z stops this process; bounded by <see cref="SuspendLimit"/>.</summary>
    public Func<CancellationToken, Task>? BeforeSuspend { get; init; }

    /// <summary>Opens a session again after <c>fg</c>; runs beside the screen, and a failure of it ends the run.</summary>
    public Func<CancellationToken, Task>? AfterResume { get; init; }
}
