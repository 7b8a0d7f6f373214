namespace Tpwatch.Text;

/// <summary>Renders one line per occurrence, for output without a screen.</summary>
interface ILineRenderer
{
    /// <summary>An injection delay, ended or open; null if it gets no line.</summary>
    string? Decision(InjectionDelay delay, PoolReport report);

    /// <summary>A finding; null if it gets no line.</summary>
    string? Finding(Finding finding, PoolReport report);

    /// <summary>The begin or the end of an episode; null if it gets no line.</summary>
    string? State(StarvedEpisode episode, PoolReport report) => null;

    /// <summary>The summary at the end of the watch; may be several lines.</summary>
    string Summary(PoolReport report);
}
