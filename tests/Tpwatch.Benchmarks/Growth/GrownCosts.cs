namespace Tpwatch.Benchmarks.Growth;

/// <summary>What was measured along an axis.</summary>
sealed record GrownCosts(GrowthAxis Axis, IReadOnlyList<Measured> All)
{
    /// <summary>
    /// Where a cost has a fixed part, or one that grows until some bound is reached, only large sizes show how the rest grows: those from a
    /// tenth of the largest on.
    /// </summary>
    const double Large = 0.1;

    /// <summary>Each cost of which there are figures.</summary>
    public IEnumerable<GrownCost> Costs =>
    [
        Of("processor time of the whole, ms", m => m.WholeMs),
        .. All.All(m => m.LookMs is not null) ? [Of("processor time of a report, ms", m => m.LookMs!.Value)] : (GrownCost[])[],
        Of("memory, MB", m => m.Megabytes),
    ];

    GrownCost Of(string name, Func<Measured, double> cost)
    {
        CostAt[] points = [.. All.Select(m => new CostAt(m.Size, cost(m)))];
        return new(name, points, Exponent.Of(points), Exponent.Of(points.Where(p => p.Size >= Large * Axis.Sizes[^1])));
    }
}

/// <summary>One cost over the sizes of an axis.</summary>
/// <param name="Name">With its unit.</param>
/// <param name="Points">Each measurement.</param>
/// <param name="Whole">Over all sizes.</param>
/// <param name="AtLarge">Over the largest.</param>
sealed record GrownCost(string Name, IReadOnlyList<CostAt> Points, Exponent Whole, Exponent AtLarge)
{
    /// <summary>Of each size, ascending.</summary>
    public IEnumerable<CostAt> Medians => Points.GroupBy(p => p.Size).OrderBy(same => same.Key)
        .Select(same => new CostAt(same.Key, new Spread(same.Select(p => p.Cost)).Median));

    public bool IsAtMostLinear => AtLarge.IsAtMostLinear;
}
