namespace Tpwatch.Screen.State;

/// <summary>Which durations of items are shown.</summary>
enum ItemChoice
{
    /// <summary>From queued to taken.</summary>
    Wait,

    /// <summary>From taken to done.</summary>
    Run,

    Both,
}

/// <summary>How the views of single items, stacks and moves are set.</summary>
sealed record DetailChoice
{
    public ItemChoice Times { get; init; }

    /// <summary>Only the middle, the 99th percentile and the longest.</summary>
    public bool FewPercentiles { get; init; }

    /// <summary>The framework's frames, too.</summary>
    public bool AllFrames { get; init; }

    /// <summary>Places that hold workers as sums of each kind.</summary>
    public bool ByKind { get; init; }

    /// <summary>Row under the cursor of the stacks.</summary>
    public int Row { get; init; }

    /// <summary>No decisions that changed nothing.</summary>
    public bool MovesOnly { get; init; }

    /// <summary>On the overview every mark, and whether each came when the runtime's rules allow.</summary>
    public bool AllMarks { get; init; }

    public DetailChoice NextTimes() => this with { Times = ListChoice.Next(Times) };
}
