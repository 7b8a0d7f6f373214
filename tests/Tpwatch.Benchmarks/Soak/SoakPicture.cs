using System.Globalization;
using System.Text;

namespace Tpwatch.Benchmarks.Soak;

/// <summary>Four panes below one another, each with a line for the tool and one for its target, over the time of the run.</summary>
static class SoakPicture
{
    const int Width = 860, Left = 70, Right = 150, Top = 58, PaneHeight = 110, Between = 34;
    const int PlotWidth = Width - Left - Right, Labels = Left + PlotWidth + 8;
    const string Tool = "#0969da", Target = "#bf8700";

    const string Style = """
        <style>
        text { fill: #1f2328 } .axis { stroke: #8c959f; stroke-width: 1 } .small { font-size: 10px; fill: #59636e }
        path { fill: none; stroke-width: 1.5 }
        @media (prefers-color-scheme: dark) { text { fill: #f0f6fc } .small { fill: #9198a1 } .back { fill: #0d1117 } }
        </style>
        """;

    static readonly (string Title, Func<SoakSample, double> Of)[] Panes =
    [
        ("memory, MB", s => s.Megabytes), ("descriptors", s => s.Descriptors), ("threads", s => s.Threads),
        ("processor, % of one", s => s.Percent),
    ];

    /// <summary>The drawing, as it stands after these looks.</summary>
    public static string Of(IReadOnlyList<SoakSample> tool, IReadOnlyList<SoakSample> target, string machine)
    {
        var height = Top + Panes.Length * (PaneHeight + Between);
        var svg = new StringBuilder(Invariant($"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {Width} {height}" width="{Width}" height="{height}"
                font-family="sans-serif" font-size="12">
            {Style}
            <rect class="back" width="{Width}" height="{height}" fill="#ffffff"/>
            <text x="{Left}" y="22" font-size="14">The screen over {tool[^1].Seconds / 60:0} minutes of a service under load</text>
            <text class="small" x="{Left}" y="40">{machine}</text>

            """));
        for (var pane = 0; pane < Panes.Length; pane++)
            Draw(svg, Panes[pane], Top + pane * (PaneHeight + Between) + Between / 2, tool, target);
        return svg.Append("</svg>\n").ToString();
    }

    static void Draw(StringBuilder svg, (string Title, Func<SoakSample, double> Of) pane, int top,
        IReadOnlyList<SoakSample> tool, IReadOnlyList<SoakSample> target)
    {
        // The first look has no processor time before it.
        var (ours, theirs) = (tool.Skip(1).ToArray(), target.Skip(1).ToArray());
        var most = Math.Max(1, ours.Concat(theirs).Max(pane.Of) * 1.1);
        var (bottom, seconds) = (top + PaneHeight, tool[^1].Seconds);
        svg.Append(Invariant($"""
            <text x="{Left}" y="{top - 6}">{pane.Title}</text>
            <path class="axis" d="M{Left} {top}V{bottom}H{Left + PlotWidth}"/>
            <text class="small" x="{Left - 6}" y="{top + 8}" text-anchor="end">{most:0}</text>
            <text class="small" x="{Left - 6}" y="{bottom}" text-anchor="end">0</text>
            <text class="small" x="{Left}" y="{bottom + 12}">0 min</text>
            <text class="small" x="{Left + PlotWidth}" y="{bottom + 12}" text-anchor="end">{seconds / 60:0.#} min</text>

            """));
        Line(ours, Tool, "tool", top + 24);
        Line(theirs, Target, "target", top + 60);

        void Line(SoakSample[] samples, string colour, string name, int label)
        {
            var path = string.Join('L', samples.Select(s => Invariant($"{X(s):0.0} {Y(s):0.0}")));
            svg.Append(Invariant($"""
                <path stroke="{colour}" d="M{path}"/>
                <circle cx="{X(samples[^1]):0.0}" cy="{Y(samples[^1]):0.0}" r="2.5" fill="{colour}"/>
                <text x="{Labels}" y="{label}" style="fill:{colour}">{name}: {pane.Of(samples[^1]):0.#}</text>
                <text class="small" x="{Labels}" y="{label + 14}">{samples.Min(pane.Of):0.#} to {samples.Max(pane.Of):0.#}</text>

                """));
        }

        double X(SoakSample sample) => Left + sample.Seconds / seconds * PlotWidth;
        double Y(SoakSample sample) => bottom - pane.Of(sample) / most * PaneHeight;
    }

    static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
