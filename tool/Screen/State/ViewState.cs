using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>What the user chose to look at; immutable, every key makes a new one.</summary>
sealed record ViewState
{
    public ViewName View { get; init; }

    /// <summary>Time a column stands for, milliseconds.</summary>
    public int ScaleMs { get; init; } = Zoom.Default;

    /// <summary>The right edge; null follows the newest data.</summary>
    public EventTime? Right { get; init; }

    /// <summary>Number of the selected gap; stays when the gap is no longer kept. All views share it.</summary>
    public int? Selected { get; init; }

    /// <summary>Id of the rule under the cursor of the findings; null is the first.</summary>
    public string? Rule { get; init; }

    /// <summary>Whether the selected event has the view for itself.</summary>
    public bool Detail { get; init; }

    /// <summary>How the list of events is narrowed and sorted.</summary>
    public ListChoice List { get; init; } = new();

    /// <summary>What the last key led to, in place of the hints until the next key.</summary>
    public string? Flash { get; init; }

    /// <summary>The marks between which is measured.</summary>
    public Measure? Measure { get; init; }

    /// <summary>What would have been, laid over what was.</summary>
    public WhatIfAnswer? Imagined { get; init; }

    /// <summary>Whether a what-if is being computed.</summary>
    public bool IsSimulating { get; init; }

    /// <summary>Something that happens only when its key is pressed once more.</summary>
    public Ask? Ask { get; init; }

    /// <summary>Min workers as the user says; null takes what was seen.</summary>
    public int? Min { get; init; }

    /// <summary>Findings that the user has read, with how serious they were then.</summary>
    public ImmutableSortedDictionary<string, Severity> Acknowledged { get; init; } = ImmutableSortedDictionary<string, Severity>.Empty;

    /// <summary>How stacks, items and moves are shown.</summary>
    public DetailChoice Show { get; init; } = new();

    /// <summary>How the replay runs, in a word or two; null where nothing is replayed.</summary>
    public string? Playing { get; init; }

    /// <summary>Time since the newest data came, milliseconds; counted only while a moment to come is shown.</summary>
    public double AheadMs { get; init; }

    /// <summary>Theme and glyphs as typed; null keeps those of the start.</summary>
    public (ThemeMode? Theme, GlyphMode? Glyphs) Looks { get; init; }

    /// <summary>How it is with the stacks that were asked for, one sentence; null while there is nothing to say.</summary>
    public string? Probing { get; init; }

    /// <summary>When that was first said, by the clock of the screen.</summary>
    public long ProbingAt { get; init; }

    /// <summary>Whether stacks are taken while items wait.</summary>
    public bool TakesStacks { get; init; }

    /// <summary>Whether the probe's key takes stacks here.</summary>
    public bool MayTakeStacks { get; init; } = true;

    /// <summary>Whether the probe's key measures single items here.</summary>
    public bool MayMeasureItems { get; init; } = true;

    /// <summary>Whether something starves and a key would name the call that blocks.</summary>
    public bool OffersStacks { get; init; }

    /// <summary>Set while the display stands still.</summary>
    public Freeze? Freeze { get; init; }

    /// <summary>A banner from outside, such as BEHIND or RECONNECTING; starts with one upper-case word.</summary>
    public string? Notice { get; init; }

    /// <summary>
    /// Ranges of the lanes that were needed since following began: they hardly ever shrink, so that the picture does not jump.
    /// </summary>
    public LaneRanges Held { get; init; } = LaneRanges.Empty;

    public bool Follows => Right is null;
}
