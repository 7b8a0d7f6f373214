using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>What holds the workers, each with its stack folded away.</summary>
static class BlockersSection
{
    /// <summary>The section; without stacks it says how to get them.</summary>
    public static Markup Of(PoolReport report) => Markup.Of($"""
        <section id="blockers"><h2>Calls that block worker threads</h2>{(report.Blockers is { } blockers ? blockers.IsEmpty ? Markup.Of($"<p>Stacks were taken, and no worker thread was blocked.</p>") : Markup.Join(blockers.Select(One)) : NotTaken(report))}</section>
        """);

    static Markup NotTaken(PoolReport report) => (report.Depth & (CaptureDepth.Auto | CaptureDepth.Stacks | CaptureDepth.Inside)) != 0
        ? Markup.Of($"<p>No stacks were taken: {Phrases.NoBurst(report)}.</p>")
        : Markup.Of(
            $"<p>No stacks were taken, so it is not known which call blocks: use <code>--depth stacks</code>.</p>");

    static Markup One(Blocker blocker) => Markup.Of($"""
        <details class="blocker"><summary><svg class="bar" viewBox="0 0 100 8" role="img" aria-label="{Format.Percent(blocker.Share)}"><rect width="100" height="8"/><rect class="fill" width="{blocker.Share * 100}" height="8"/></svg> <b>{Format.Percent(blocker.Share)}</b> <bdi><code>{blocker.Chain}</code></bdi> <span class="tag">{Words.Of(blocker.Kind)}</span> <small>{Format.Plural(blocker.Threads, "worker thread")}</small></summary>
        <ol class="stack">{blocker.Stack.Select(f => Markup.Of($"<li><bdi>{f}</bdi></li>"))}</ol></details>
        """);
}
