using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Which episode the verdict and the headline are about: the one that lasts, else the worst since the start.</summary>
static class ToldEpisode
{
    /// <summary>Of several that last the one that began last is what goes on now.</summary>
    public static StarvedEpisode? Of(ImmutableArray<StarvedEpisode> episodes) =>
        episodes.LastOrDefault(e => !e.Over) ?? (episodes.IsEmpty ? null : episodes.MaxBy(e => (Rank(e.Kind), e.Span.Ms)));

    // Where nothing lasts any more, what the pool could not help itself out of weighs more than what passed; then length.
    static int Rank(Verdict kind) => kind switch
    {
        Verdict.NotThePool => 0,
        Verdict.Wedged => 2,
        _ => 1,
    };
}
