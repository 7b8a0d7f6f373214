using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>A command from a key, a click, a dialog or a typed line, with one argument or none.</summary>
/// <param name="Action">The action.</param>
sealed record KeyCommand(UiAction Action)
{
    /// <summary>What to save, and under which name.</summary>
    public SaveRequest Save { get; init; }

    /// <summary>The change to simulate.</summary>
    public WhatIfChange? Change { get; init; }

    /// <summary>The moment to which the replay jumps, milliseconds after the start of the capture.</summary>
    public double? SeekMs { get; init; }

    /// <summary>Speed of the replay, as a multiple of real time; <c>Max</c> plays as fast as the recording can be read.</summary>
    public (bool Max, double Speed)? Speed { get; init; }

    public static KeyCommand? Of(UiAction? action) => action is { } known ? new(known) : null;
}
