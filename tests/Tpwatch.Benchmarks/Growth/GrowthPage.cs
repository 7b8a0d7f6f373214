using System.Globalization;
using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Growth;

/// <summary>The page tests/GROWTH.md.</summary>
static class GrowthPage
{
    const string Introduction =
        """
        # How cost grows

        What tpwatch itself takes, when there is more to watch. Written by

            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- growth

        Streams of facts are made up and told to the engine as fast as it takes them: a week takes seconds. An item each is queued and taken;
        workers come by starvation, sleep and wake. Processor time is that of the whole process, with the collector's; memory is what is
        held when the stream has been told and a report of it is made. The recording is a file: a stored one again and again, analysed in a
        process of its own, with the most memory that this ever had. One report is what each new look at the screen costs.

        The exponent says by which power of the size a cost grows: 0 stands still, 1 is in proportion, 2 the square. It is the slope of the line
        that lies nearest to the logarithms, ± two standard errors. Small sizes bend it: a part that any size costs makes it less, and what
        costs more until some bound is reached makes it more (the log of the last two minutes of counter samples; what is kept, which the
        collector moves). So the largest are told apart, from a tenth of the largest on, where all bounds are reached. The goal: none of
        these grows faster than in proportion, by more than its spread. Caches and the collector make each piece of what is larger dearer, by
        some per cent; what grows by n log n would have 1.08 to 1.17 here.


        """;

    public static string Of(IReadOnlyCollection<GrownCosts> grown, string machine) =>
        $"""
        {machine}

        | what grows | from | to | cost | exponent | of the largest | goal: at most 1 |
        |---|---|---|---|---|---|---|
        {string.Join('\n', grown.SelectMany(costs => costs.Costs.Select(cost => Row(costs.Axis, cost))))}

        {string.Join("\n\n", grown.Select(Section))}
        """;

    /// <summary>The medians of each size.</summary>
    public static string Table(GrownCosts costs)
    {
        var columns = costs.Costs.ToArray();
        var medians = columns.Select(cost => cost.Medians.ToArray()).ToArray();
        var rows = costs.Axis.Sizes.Select((size, i) => $"| {Size(size)} | {string.Join(" | ", medians.Select(m => Cost(m[i].Cost)))} |");
        return $"""
            | {costs.Axis.What} | {string.Join(" | ", columns.Select(cost => cost.Name))} |
            |---|{string.Concat(columns.Select(_ => "---|"))}
            {string.Join('\n', rows)}
            """;
    }

    public static Goals GoalsOf(IEnumerable<GrownCosts> grown) => grown
        .SelectMany(costs => costs.Costs.Select(cost => (costs.Axis, Cost: cost)))
        .Aggregate(new Goals(), (goals, one) => goals.Add(
            $"{one.Axis.What}, {one.Cost.Name}: exponent {one.Cost.Whole}, of the largest {one.Cost.AtLarge}, at most 1",
            one.Cost.IsAtMostLinear));

    /// <summary>The name of an axis' picture, beside the page.</summary>
    public static string Picture(GrowthAxis axis) => $"growth-{axis.Name}.svg";

    /// <summary>Writes the part that is measured and leaves the rest alone.</summary>
    public static void Write(string file, string page) => File.WriteAllText(
        file, GeneratedPart.Replace(File.Exists(file) ? File.ReadAllText(file).ReplaceLineEndings("\n") : Introduction, "growth", page));

    /// <summary>Thousands set apart by a space.</summary>
    public static string Size(double size) => size.ToString("# ##0", CultureInfo.InvariantCulture).Trim();

    static string Section(GrownCosts costs) =>
        $"""
        ## {char.ToUpperInvariant(costs.Axis.What[0])}{costs.Axis.What[1..]}

        ![{costs.Axis.What}]({Picture(costs.Axis)})

        {Table(costs)}
        """;

    static string Row(GrowthAxis axis, GrownCost cost) =>
        $"| {axis.What} | {Size(axis.Sizes[0])} | {Size(axis.Sizes[^1])} | {cost.Name} | {cost.Whole} | {cost.AtLarge} "
            + $"| {(cost.IsAtMostLinear ? "met" : "**missed**")} |";

    static string Cost(double cost) => cost.ToString(cost >= 100 ? "0" : cost >= 1 ? "0.0" : "0.000", CultureInfo.InvariantCulture);
}
