using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>An episode that began, changed its verdict or ended between two snapshots.</summary>
/// <param name="Target">The newest state of the process.</param>
/// <param name="Episode">The newest state of the episode.</param>
/// <param name="Before">The previous verdict of the episode; null if the episode is new.</param>
/// <param name="IsOver">Whether the episode has ended.</param>
sealed record EpisodeChange(TargetState Target, StarvedEpisode Episode, Verdict? Before, bool IsOver)
{
    /// <summary>The change, worded as in a report's headline.</summary>
    public string Words => $"{VerdictWords.Of(Episode.Kind)} {(IsOver ? "over after" : "since")} {Format.Duration(Episode.Span.Ms)}";
}

/// <summary>Compares consecutive snapshots, and finds episodes that began, changed their verdict or ended.</summary>
sealed class EpisodeChanges
{
    ImmutableDictionary<string, (TargetState Target, StarvedEpisode Episode)> open =
        ImmutableDictionary<string, (TargetState, StarvedEpisode)>.Empty;

    /// <summary>Returns the changes since the previous call.</summary>
    public ImmutableArray<EpisodeChange> Since(ImmutableArray<TargetState> states)
    {
        var lasting = states.Where(s => s.Open is not null).DistinctBy(s => s.Page).ToImmutableArray();
        var now = lasting.ToImmutableDictionary(s => s.Page, s => (s, s.Open!));
        ImmutableArray<EpisodeChange> changes =
        [
            .. lasting.Where(s => Before(s.Page) != s.Open!.Kind).Select(s => new EpisodeChange(s, s.Open!, Before(s.Page), IsOver: false)),
            .. open.Where(o => !now.ContainsKey(o.Key))
                .Select(o => new EpisodeChange(o.Value.Target, o.Value.Episode, o.Value.Episode.Kind, IsOver: true)),
        ];
        open = now;
        return changes;
    }

    Verdict? Before(string page) => open.TryGetValue(page, out var known) ? known.Episode.Kind : null;
}
