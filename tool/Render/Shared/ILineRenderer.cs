using Tpwatch.Reports;

namespace Tpwatch.Render.Shared;

/// <summary>One line for each thing that happens; what is printed where there is no screen.</summary>
interface ILineRenderer
{
    /// <summary>A wait for a worker that ended, or lasts; null where it gets no line.</summary>
    string? Decision(Gap gap, PoolReport report);

    /// <summary>Something that was found; null where it gets no line.</summary>
    string? Finding(Finding finding, PoolReport report);

    /// <summary>The end of it all; may be several lines.</summary>
    string Summary(PoolReport report);
}
