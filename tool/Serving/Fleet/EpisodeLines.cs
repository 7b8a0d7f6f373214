using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;
using Tpwatch.Serving.Metrics;
using Tpwatch.World;

namespace Tpwatch.Serving.Fleet;

/// <summary>A line when an episode begins, changes its kind or is over: what a service's own log keeps of a night.</summary>
sealed class EpisodeLines(CommandContext context)
{
    ImmutableDictionary<string, StarvedEpisode> open = ImmutableDictionary<string, StarvedEpisode>.Empty;

    /// <summary>Tells what is new.</summary>
    public void Tell(ImmutableArray<TargetState> states)
    {
        var now = states.Where(s => s.Open is not null).DistinctBy(s => s.Page).ToImmutableDictionary(s => s.Page, s => s.Open!);
        foreach (var state in states.Where(s => now.ContainsKey(s.Page)))
        {
            if (open.GetValueOrDefault(state.Page)?.Kind != now[state.Page].Kind)
            {
                Line(state.Page, $"{VerdictWords.Of(now[state.Page].Kind)} since {Format.Duration(now[state.Page].Span.Ms)}");
            }
        }

        foreach (var (page, episode) in open.Where(o => !now.ContainsKey(o.Key)))
        {
            Line(page, $"{VerdictWords.Of(episode.Kind)} over after {Format.Duration(episode.Span.Ms)}");
        }

        if (!open.IsEmpty || !now.IsEmpty)
        {
            context.Out.Flush();
        }

        open = now;
    }

    void Line(string page, string what) => context.Out.WriteLine($"{Format.Utc(context.Time.GetUtcNow().UtcDateTime)} {page} {what}");
}
