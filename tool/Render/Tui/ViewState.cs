namespace Tpwatch.Render.Tui;

/// <summary>What the user chose to look at; immutable, every key makes a new one.</summary>
internal sealed record ViewState
{
    /// <summary>Time a column stands for, milliseconds.</summary>
    public int ScaleMs { get; init; } = Zoom.Default;

    /// <summary>The right edge; null follows the newest data.</summary>
    public EventTime? Right { get; init; }

    /// <summary>Number of the selected gap; stays when the gap is no longer kept.</summary>
    public int? Selected { get; init; }

    /// <summary>Whether the help lies over the screen.</summary>
    public bool Help { get; init; }

    /// <summary>Set while the display stands still.</summary>
    public Freeze? Freeze { get; init; }

    /// <summary>A banner from outside, such as BEHIND or RECONNECTING; starts with one upper-case word.</summary>
    public string? Notice { get; init; }

    /// <summary>Ranges of the lanes that were needed since following began: they hardly ever shrink, so that the picture does not jump.</summary>
    public LaneRanges Held { get; init; } = LaneRanges.Empty;

    public bool Follows => Right is null;
}
