using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>The state of the screen, mostly the user's choices; immutable, so every key makes a new state.</summary>
sealed record ViewState
{
    public ViewName View { get; init; }

    /// <summary>Time that one column covers, milliseconds.</summary>
    public int ScaleMs { get; init; } = Zoom.Default;

    /// <summary>The time at the right edge of the screen; null means that the screen follows the newest data.</summary>
    public EventTime? Right { get; init; }

    /// <summary>Number of the selected event, in all views; kept when the report no longer holds the event.</summary>
    public int? Selected { get; init; }

    /// <summary>Id of the rule under the cursor in the view of the findings; null means the first row.</summary>
    public string? Rule { get; init; }

    /// <summary>Whether the details of the selected event fill the view.</summary>
    public bool Detail { get; init; }

    /// <summary>The filters of the lists.</summary>
    public ListChoice List { get; init; } = new();

    /// <summary>The message about the last key, shown in place of the key hints until the next key.</summary>
    public string? Flash { get; init; }

    /// <summary>The marks of a measured span.</summary>
    public Measure? Measure { get; init; }

    /// <summary>The what-if answer that is drawn over the observed curves; null without an answer.</summary>
    public WhatIfAnswer? Simulated { get; init; }

    /// <summary>Whether a what-if is being computed.</summary>
    public bool IsSimulating { get; init; }

    /// <summary>The question that waits for a second press of a key; null without a question.</summary>
    public Ask? Ask { get; init; }

    /// <summary>MinThreads as the user gave it; null uses the observed value.</summary>
    public int? Min { get; init; }

    /// <summary>Ids of the findings that the user has marked as read, each with the severity of the finding at that time.</summary>
    public ImmutableSortedDictionary<string, Severity> Acknowledged { get; init; } = ImmutableSortedDictionary<string, Severity>.Empty;

    /// <summary>Settings of the views of stacks, work items and hill climbing.</summary>
    public DetailChoice Show { get; init; } = new();

    /// <summary>The state of the replay, in one or two words; null where nothing is replayed.</summary>
    public string? Playing { get; init; }

    /// <summary>Capture time since the newest data arrived, milliseconds; 0 unless the screen shows a countdown.</summary>
    public double AheadMs { get; init; }

    /// <summary>Theme and glyphs that the user typed; null keeps the theme or glyphs of the start.</summary>
    public (ThemeMode? Theme, GlyphMode? Glyphs) Looks { get; init; }

    /// <summary>The state of the requested stack samples, one sentence; null without a message.</summary>
    public string? Probing { get; init; }

    /// <summary>Timestamp, by the screen's clock, of the last change of <see cref="Probing"/>.</summary>
    public long ProbingAt { get; init; }

    /// <summary>Whether stack samples are switched on; tpwatch then takes stack samples while items wait.</summary>
    public bool TakesStacks { get; init; }

    /// <summary>Whether the key <c>t</c> can switch stack samples on.</summary>
    public bool MayTakeStacks { get; init; } = true;

    /// <summary>Whether the key <c>t</c> can switch the measurement of single work items on.</summary>
    public bool MayMeasureItems { get; init; } = true;

    /// <summary>Whether to offer stack samples: threads may be blocked, and the key <c>t</c> would find the blocking call.</summary>
    public bool OffersStacks { get; init; }

    /// <summary>The frozen display; null while the display is not frozen.</summary>
    public Freeze? Freeze { get; init; }

    /// <summary>The banner from the watch; null without a banner.</summary>
    public Notice? Notice { get; init; }

    /// <summary>
    /// Value ranges of the lanes since the screen began to follow the newest data. A range rarely shrinks, so that the picture does not
    /// jump.
    /// </summary>
    public LaneRanges Held { get; init; } = LaneRanges.Empty;

    public bool Follows => Right is null;
}

/// <summary>A banner from the watch: an upper-case word, and the rest of its sentence, in full and in brief.</summary>
sealed record Notice(string Word, string Text, string? Brief = null);
