namespace Tpwatch.Scoring.Recorded;

/// <summary>
/// Runs of which the engine says something else than their record, with what it is that it gets wrong; one that is mended must go.
/// </summary>
static class NotYetRight
{
    public static ImmutableSortedDictionary<string, string> Runs { get; } = ImmutableSortedDictionary<string, string>.Empty;
}
