namespace Tpwatch.Serve;

/// <summary>An episode that began, changed its kind, or is over.</summary>
/// <param name="Target">The process as it was last seen.</param>
/// <param name="Episode">The episode as it was last seen.</param>
/// <param name="Before">What it was called before; null where it begins.</param>
/// <param name="IsOver">Whether it is over.</param>
sealed record EpisodeChange(TargetState Target, StarvedEpisode Episode, Verdict? Before, bool IsOver);

/// <summary>Finds from look to look which episodes are new, different or over.</summary>
sealed class EpisodeChanges
{
    ImmutableDictionary<string, (TargetState Target, StarvedEpisode Episode)> open =
        ImmutableDictionary<string, (TargetState, StarvedEpisode)>.Empty;

    /// <summary>What has changed since the last look.</summary>
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
