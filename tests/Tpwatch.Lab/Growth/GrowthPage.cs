using System.Globalization;
using System.Text;

namespace Tpwatch.Lab.Growth;

/// <summary>The part of tests/GROWTH.md that is measured.</summary>
static class GrowthPage
{
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
            one.Cost.AtLarge.IsAtMostLinear));

    /// <summary>The name of an axis' picture, beside the page.</summary>
    public static string Picture(GrowthAxis axis) => $"growth-{axis.Name}.svg";

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
            + $"| {(cost.AtLarge.IsAtMostLinear ? "met" : "**missed**")} |";

    static string Cost(double cost) => cost.ToString(cost >= 100 ? "0" : cost >= 1 ? "0.0" : "0.000", CultureInfo.InvariantCulture);
}

/// <summary>
/// The costs over the sizes of an axis, both logarithmic, a pane for each cost: the measurements, a line through their medians, and for
/// comparison a dashed one that grows in proportion.
/// </summary>
static class GrowthPicture
{
    const int Left = 50, Between = 66, PaneWidth = 230, PaneHeight = 180, Top = 62, Bottom = Top + PaneHeight, Below = 44;
    const string Line = "#0969da", Proportion = "#bf8700";

    const string Style = """
        <style>
        text { fill: #1f2328 } .axis { stroke: #8c959f } .grid { stroke: #d1d9e0 } .small { font-size: 10px; fill: #59636e }
        path { fill: none; stroke-width: 1.5 } .axis, .grid { stroke-width: 1 }
        @media (prefers-color-scheme: dark) { text { fill: #f0f6fc } .small { fill: #9198a1 } .back { fill: #0d1117 } .grid { stroke: #3d444d } }
        </style>
        """;

    public static string Of(GrownCosts costs)
    {
        var panes = costs.Costs.ToArray();
        var (width, height) = (Left + panes.Length * (PaneWidth + Between), Top + PaneHeight + Below);
        var svg = new StringBuilder($"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"
                font-family="sans-serif" font-size="12">
            {Style}
            <rect class="back" width="{width}" height="{height}" fill="#ffffff"/>
            <text x="{Left}" y="22" font-size="14">Cost over {costs.Axis.What}; dashed: in proportion</text>

            """);
        for (var pane = 0; pane < panes.Length; pane++)
            Draw(svg, panes[pane], Left + pane * (PaneWidth + Between));
        return svg.Append("</svg>\n").ToString();
    }

    static void Draw(StringBuilder svg, GrownCost cost, int left)
    {
        var sizes = LogScale.Of(cost.Points.Select(p => p.Size), left, left + PaneWidth);
        var costs = LogScale.Of(cost.Points.Select(p => p.Cost), Bottom, Top);
        svg.Append($"""
            <text x="{left}" y="{Top - 20}">{cost.Name}</text>
            <text class="small" x="{left}" y="{Top - 7}">exponent {cost.Whole}, of the largest {cost.AtLarge}</text>

            """);
        foreach (var decade in sizes.Decades)
            Tick(svg, $"M{X(decade)} {Top}v{PaneHeight}", $"x=\"{X(decade)}\" y=\"{Bottom + 14}\" text-anchor=\"middle\"", decade);
        foreach (var decade in costs.Decades)
            Tick(svg, $"M{left} {Y(decade)}h{PaneWidth}", $"x=\"{left - 5}\" y=\"{Y(decade)}\" dy=\"3\" text-anchor=\"end\"", decade);
        var medians = cost.Medians.ToArray();
        var (from, to) = Proportional(medians[^1], costs, sizes);
        svg.Append($"""
            <path class="axis" d="M{left} {Top}v{PaneHeight}h{PaneWidth}"/>
            <path stroke="{Proportion}" stroke-dasharray="4 3" d="M{X(from.Size)} {Y(from.Cost)}L{X(to.Size)} {Y(to.Cost)}"/>
            <path stroke="{Line}" d="M{string.Join('L', medians.Select(p => $"{X(p.Size)} {Y(p.Cost)}"))}"/>

            """);
        foreach (var point in cost.Points)
            svg.Append($"<circle cx=\"{X(point.Size)}\" cy=\"{Y(point.Cost)}\" r=\"2.5\" fill=\"{Line}\"/>\n");

        string X(double size) => sizes.At(size);
        string Y(double value) => costs.At(value);
    }

    static void Tick(StringBuilder svg, string line, string place, double value) =>
        svg.Append($"<path class=\"grid\" d=\"{line}\"/><text class=\"small\" {place}>{Short(value)}</text>\n");

    // Through the largest, down to where it leaves the pane.
    static (CostAt From, CostAt To) Proportional(CostAt largest, LogScale costs, LogScale sizes)
    {
        var factor = Math.Max(costs.Least / largest.Cost, sizes.Least / largest.Size);
        return (new(largest.Size * factor, largest.Cost * factor), largest);
    }

    static string Short(double value) => value switch
    {
        >= 1e6 => $"{value / 1e6:0.###}M",
        >= 1e3 => $"{value / 1e3:0.###}k",
        _ => $"{value:0.####}",
    };
}
