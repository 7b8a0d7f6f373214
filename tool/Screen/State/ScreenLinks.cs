using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>
/// The calls from the screen to the running watch or replay; null where a call is not possible. The screen's thread makes all calls except
/// <see cref="Imagine"/>, and each of them returns quickly.
/// </summary>
sealed record ScreenLinks
{
    /// <summary>Saves the buffered events, or a document made of the report; returns a sentence with the place, or why not.</summary>
    public Func<PoolReport, SaveRequest, string>? Save { get; init; }

    /// <summary>Simulates a change. The simulation may take a second, so it runs on another thread than the screen's.</summary>
    public Func<PoolReport, WhatIfChange, WhatIfSession>? Imagine { get; init; }

    /// <summary>The controls of a replay; null where nothing is replayed.</summary>
    public IPlayback? Playback { get; init; }

    /// <summary>Gets the switch of the probes that are off by default; null where probes cannot be switched.</summary>
    public Func<IProbeSwitch?> Probes { get; init; } = () => null;

    /// <summary>Clears the history: later reports leave out all data up to now.</summary>
    public Action? Forget { get; init; }

    /// <summary>Starts to wait for a restart of the target, to attach again; returns a sentence that says so, or why not.</summary>
    public Func<string>? Again { get; init; }

    /// <summary>The clock of the display, for example of the countdown; no verdict depends on this clock.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}

/// <summary>What to save, and under which name.</summary>
/// <param name="Document">The kind of document; null saves a recording of the buffered events.</param>
/// <param name="Name">Name of the file; null uses a name made of process and time.</param>
readonly record struct SaveRequest(string? Document, string? Name = null);

/// <summary>The result of a what-if: an answer, or why there is none.</summary>
sealed record WhatIfSession(WhatIfAnswer? Answer, string? Missing);
