using System.Collections.Immutable;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;

namespace Tpwatch.Screen.State;

/// <summary>What a view draws: what is known and what the user chose.</summary>
sealed record Scene(PoolReport Report, ViewState State)
{
    public TimelineSnapshot Timeline => Report.Timeline;

    /// <summary>The gaps that have a mark on the timeline, oldest first: ramps below the goal are no decision and no wait.</summary>
    public ImmutableArray<Gap> Events { get; } = [.. Report.Gaps.Where(GapMark.HasMark)];

    /// <summary>The selected gap if it is still kept.</summary>
    public Gap? Selected => State.Selected is { } number ? Report.Gaps.FirstOrDefault(g => g.Number == number) : null;

    /// <summary>Whether the user has read a finding, and it has not become more serious since.</summary>
    public bool IsAcknowledged(Finding finding) => State.Acknowledged.TryGetValue(finding.Id, out var then) && finding.Severity <= then;

    /// <summary>The columns on the screen.</summary>
    public TimeWindow Window(int columns) => TimeWindow.Of(Timeline, State, columns);
}
