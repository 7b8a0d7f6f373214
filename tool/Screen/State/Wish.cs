using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>What a key or a typed command asks for; of what follows the action at most one is given.</summary>
/// <param name="Action">The action.</param>
sealed record Wish(UiAction Action)
{
    /// <summary>What to write, and where.</summary>
    public SaveRequest Save { get; init; }

    /// <summary>What to imagine.</summary>
    public WhatIfChange? Change { get; init; }

    /// <summary>Where a replay goes, milliseconds after the start of the capture.</summary>
    public double? SeekMs { get; init; }

    /// <summary>How fast a replay goes.</summary>
    public (bool Max, double Speed)? Speed { get; init; }

    public static Wish? Of(UiAction? action) => action is { } known ? new(known) : null;
}
