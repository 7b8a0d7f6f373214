using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>
/// What the screen may ask of whoever observes; null where it is not possible. Called on the screen's thread; each is quick.
/// </summary>
sealed record ScreenLinks
{
    /// <summary>Saves the buffered events, or a document made of the report; a sentence that says where, or why not.</summary>
    public Func<PoolReport, SaveRequest, string>? Save { get; init; }

    /// <summary>Imagines a change; may take a second, and so is called beside the screen.</summary>
    public Func<PoolReport, WhatIfChange, Imagination>? Imagine { get; init; }

    /// <summary>The replay's controls.</summary>
    public IPlayback? Playback { get; init; }

    /// <summary>The probes that are off unless asked for.</summary>
    public Func<IProbeSwitch?> Probes { get; init; } = () => null;

    /// <summary>From now on reports leave out what came until now.</summary>
    public Action? Forget { get; init; }

    /// <summary>Waits for the target to start again and attaches to it; a sentence that says so, or why not.</summary>
    public Func<string>? Again { get; init; }

    /// <summary>Paces what moves between events; decides nothing.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}

/// <summary>What to save.</summary>
/// <param name="Document">The name of a document; null is a recording of the buffered events.</param>
/// <param name="Name">Name of the file; null is a name made of process and time.</param>
readonly record struct SaveRequest(string? Document, string? Name = null);

/// <summary>What became of a what-if: an answer, or why there is none.</summary>
sealed record Imagination(WhatIfAnswer? Answer, string? Missing);
