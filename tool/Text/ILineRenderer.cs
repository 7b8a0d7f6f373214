namespace Tpwatch.Text;

/// <summary>One line for each thing that happens; what is printed where there is no screen.</summary>
interface ILineRenderer
{
    /// <summary>A wait for a worker that ended, or lasts; null where it gets no line.</summary>
    string? Decision(Gap gap, PoolReport report);

    /// <summary>Something that was found; null where it gets no line.</summary>
    string? Finding(Finding finding, PoolReport report);

    /// <summary>That items began to wait, or that this is over; null where it gets no line.</summary>
    string? State(StarvedEpisode episode, PoolReport report) => null;

    /// <summary>The end of it all; may be several lines.</summary>
    string Summary(PoolReport report);
}
