using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>The state of the screen, mostly the user's choices; immutable, every key makes a new one.</summary>
sealed record ViewState
{
    public ViewName View { get; init; }

    /// <summary>Time that one column covers, milliseconds.</summary>
    public int ScaleMs { get; init; } = Zoom.Default;

    /// <summary>The time at the right edge of the screen; null follows the newest data.</summary>
    public EventTime? Right { get; init; }

    /// <summary>Number of the selected event; stays when the report no longer holds the event. All views share it.</summary>
    public int? Selected { get; init; }

    /// <summary>Id of the rule under the cursor in the view of the findings; null is the first row.</summary>
    public string? Rule { get; init; }

    /// <summary>Whether the details of the selected event fill the view.</summary>
    public bool Detail { get; init; }

    /// <summary>The filters of the lists.</summary>
    public ListChoice List { get; init; } = new();

    /// <summary>The message about the last key, shown in place of the key hints until the next key.</summary>
    public string? Flash { get; init; }

    /// <summary>The marks of a measured span.</summary>
    public Measure? Measure { get; init; }

    /// <summary>The what-if answer that is drawn over the observed curves; null without one.</summary>
    public WhatIfAnswer? Simulated { get; init; }

    /// <summary>Whether a what-if is being computed.</summary>
    public bool IsSimulating { get; init; }

    /// <summary>The action that waits for a second press of its key; null without one.</summary>
    public Ask? Ask { get; init; }

    /// <summary>MinThreads as the user gave it; null uses the observed value.</summary>
    public int? Min { get; init; }

    /// <summary>Ids of the findings that the user has marked as read, with their severity at that time.</summary>
    public ImmutableSortedDictionary<string, Severity> Acknowledged { get; init; } = ImmutableSortedDictionary<string, Severity>.Empty;

    /// <summary>Settings of the views of stacks, work items and hill climbing.</summary>
    public DetailChoice Show { get; init; } = new();

    /// <summary>The state of the replay, in one or two words; null where nothing is replayed.</summary>
    public string? Playing { get; init; }

    /// <summary>Time since the newest data arrived, milliseconds; 0 unless the screen shows a countdown to the next injection.</summary>
    public double AheadMs { get; init; }

    /// <summary>Theme and glyphs that the user typed; null keeps those of the start.</summary>
    public (ThemeMode? Theme, GlyphMode? Glyphs) Looks { get; init; }

    /// <summary>The state of the requested stack samples, one sentence; null without a message.</summary>
    public string? Probing { get; init; }

    /// <summary>When <see cref="Probing"/> got its present text, as a timestamp of the screen's clock.</summary>
    public long ProbingAt { get; init; }

    /// <summary>Whether stack samples are switched on, so that tpwatch takes them while items wait.</summary>
    public bool TakesStacks { get; init; }

    /// <summary>Whether the key <c>t</c> can switch stack samples on.</summary>
    public bool MayTakeStacks { get; init; } = true;

    /// <summary>Whether the key <c>t</c> can switch the measurement of single work items on.</summary>
    public bool MayMeasureItems { get; init; } = true;

    /// <summary>Whether to offer stack samples: threads may be blocked, and the key <c>t</c> would find the blocking call.</summary>
    public bool OffersStacks { get; init; }

    /// <summary>Set while the display is frozen; else null.</summary>
    public Freeze? Freeze { get; init; }

    /// <summary>A banner from the watch; null without one.</summary>
    public Notice? Notice { get; init; }

    /// <summary>
    /// Value ranges that the lanes needed since the screen began to follow the newest data; they rarely shrink, so that the picture does
    /// not jump.
    /// </summary>
    public LaneRanges Held { get; init; } = LaneRanges.Empty;

    public bool Follows => Right is null;
}

/// <summary>A banner from the watch: an upper-case word, and the rest of its sentence, in full and in brief.</summary>
sealed record Notice(string Word, string Text, string? Brief = null);
