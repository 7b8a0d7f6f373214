namespace Tpwatch.Screen.State;

/// <summary>Which durations of work items are shown.</summary>
enum ItemChoice
{
    /// <summary>Queue time: from queued to dequeued.</summary>
    Wait,

    /// <summary>Run time: from dequeued to completed.</summary>
    Run,

    Both,
}

/// <summary>Settings of the views of work items, stacks and hill climbing.</summary>
sealed record DetailChoice
{
    public ItemChoice Times { get; init; }

    /// <summary>Whether the table of item times shows only the median, the 99th percentile and the maximum.</summary>
    public bool FewPercentiles { get; init; }

    /// <summary>Whether stacks include the framework's frames.</summary>
    public bool AllFrames { get; init; }

    /// <summary>Whether the table of stacks has one row for each kind of wait instead of one for each place.</summary>
    public bool ByKind { get; init; }

    /// <summary>Index of the row under the cursor in the view of the stacks.</summary>
    public int Row { get; init; }

    /// <summary>Whether adjustments by hill climbing that changed nothing are hidden.</summary>
    public bool MovesOnly { get; init; }

    /// <summary>Whether the overview shows all marks, each with its judgement: as expected, early or late.</summary>
    public bool AllMarks { get; init; }

    public DetailChoice NextTimes() => this with { Times = ListChoice.Next(Times) };
}
