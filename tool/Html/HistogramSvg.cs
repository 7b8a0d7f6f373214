using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>
/// How durations are distributed: a bar a bucket, the buckets side by side, so that both a millisecond and a minute are seen.
/// </summary>
static class HistogramSvg
{
    const double Left = 40;
    const double Right = 750;
    const double Height = 96;
    const double Top = 6;

    /// <summary>Bars that carry their duration: more, and they run into each other.</summary>
    const int Labels = 9;

    /// <summary>The drawing.</summary>
    /// <param name="of">What is distributed.</param>
    /// <param name="title">What it is called.</param>
    public static Markup Draw(Distribution of, string title)
    {
        var most = Math.Max(1, of.Buckets.IsEmpty ? 1 : of.Buckets.Max(b => b.Count));
        var width = (Right - Left) / Math.Max(1, of.Buckets.Length);
        var every = Math.Max(1, (of.Buckets.Length + Labels - 1) / Labels);
        var bars = of.Buckets.Select((b, i) => Bar(b, Left + i * width, width, b.Count / (double)most * Height, i % every == 0));
        return Markup.Of(
            $"<svg class=\"h\" viewBox=\"0 0 760 {Top + Height + 22}\" role=\"img\" aria-label=\"{title}: {Described(of)}\">"
                + $"<text class=\"scale\" x=\"{Left - 6}\" y=\"{Top + 9}\">{Format.Brief(most)}</text><text class=\"scale\" x=\""
                + $"{Left - 6}\" y=\"{Top + Height}\">0</text><path class=\"rule\" d=\"M{Left} {Top + Height}H{Right}\"/>{bars}</svg>");
    }

    /// <summary>The same in words.</summary>
    public static string Described(Distribution of) =>
        $"{Format.Plural(of.Count, "item")}{(of.Unfinished > 0 ? $", {Format.Count(of.Unfinished)} more unfinished" : "")}; "
        + Named(of, LowerBounds.P50, $"half took {AtMost(of)}") + Named(of, LowerBounds.P90, "90% ") + Named(of, LowerBounds.P99, "99% ")
        + Named(of, LowerBounds.P999, "99.9% ") + $"the longest {Said(of, LowerBounds.Max)}";

    static string Named(Distribution of, LowerBounds which, string name) => of.HasEnoughFor(which) ? $"{name}{Said(of, which)}, " : "";

    // "At most 5 s or more" would be no English.
    static string AtMost(Distribution of) => Quantiles.Of(of, LowerBounds.P50).IsLeast ? "" : "at most ";

    static string Said(Distribution of, LowerBounds which) =>
        Quantiles.Of(of, which) is { IsLeast: true, Ms: var ms } ? $"{Format.Duration(ms)} or more"
            : Format.Duration(Quantiles.Of(of, which).Ms);

    static Markup Bar(DistributionBucket bucket, double x, double width, double height, bool named) => Markup.Of(
        $"<rect x=\"{x + 0.5}\" y=\"{Top + Height - Math.Max(1, height)}\" width=\"{Math.Max(1, width - 1)}\" "
            + $"height=\"{Math.Max(1, height)}\">"
            + $"<title>{Range(bucket)}: {Format.Plural(bucket.Count, "item")}</title></rect>"
            + $"{(named ? Name(x, bucket.FromMs) : Markup.None)}");

    static string Range(DistributionBucket bucket) => (Format.Duration(bucket.FromMs), Format.Duration(bucket.ToMs)) is var (from, to)
        && from == to ? from : $"{from} to {to}";

    static Markup Name(double x, double fromMs) =>
        Markup.Of($"<text class=\"axis\" x=\"{x}\" y=\"{Top + Height + 14}\">{Format.Duration(fromMs)}</text>");
}
