using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>A line when an episode begins, changes its kind or is over: what a service's own log keeps of a night.</summary>
sealed class EpisodeLines(CommandContext context)
{
    /// <summary>Tells what is new.</summary>
    public void Tell(ImmutableArray<EpisodeChange> changes)
    {
        foreach (var change in changes)
        {
            context.Out.WriteLine($"{Format.Utc(context.Time.GetUtcNow().UtcDateTime)} {change.Target.Page} {Words(change)}");
        }

        if (!changes.IsEmpty)
        {
            context.Out.Flush();
        }
    }

    /// <summary>What has changed, in the words of a headline.</summary>
    public static string Words(EpisodeChange change) =>
        $"{VerdictWords.Of(change.Episode.Kind)} {(change.IsOver ? "over after" : "since")} {Format.Duration(change.Episode.Span.Ms)}";
}
