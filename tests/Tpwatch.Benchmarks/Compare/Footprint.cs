namespace Tpwatch.Benchmarks.Compare;

/// <summary>What the items probe takes from its target.</summary>
static class Footprint
{
    /// <summary>
    /// Of what a saturated target does without it. On .NET 8 each of these events carries a stack, which cannot be left out.
    /// </summary>
    const double ItemsKept = 0.95;

    const int Pairs = 8;

    public static async Task<IEnumerable<ComparedRow>> ItemsAsync()
    {
        var (now, net8) = await Price.SaturatedBothAsync(Pairs);
        return
        [
            Kept("no session", now.Nothing, null),
            Kept("basic session", now.Basic, null),
            Kept(FormattableString.Invariant($"items probe, {now.ItemsPerSecond:0} items a second"), now.Items, ItemsKept),
            Kept(FormattableString.Invariant($"items probe on .NET 8, {net8.ItemsPerSecond:0} items a second"), net8.Items, null),
        ];
    }

    static ComparedRow Kept(string what, Spread share, double? least) => new(
        $"items a saturated target keeps: {what}", "a stretch without a session before",
        FormattableString.Invariant($"{share.Median:0.00} ({share.Least:0.00} to {share.Most:0.00}, {share.Count} pairs)"),
        least is { } budget ? FormattableString.Invariant($"at least {budget:0.00}") : null,
        least is { } limit ? share.Median >= limit : null);
}
