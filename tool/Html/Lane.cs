using System.Text;
using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>One lane of the timeline drawing: a value over time.</summary>
/// <param name="Plot">The time axis of the drawing.</param>
/// <param name="Points">The values of all lanes over time.</param>
/// <param name="Top">Position of the lane's upper edge, SVG units.</param>
/// <param name="Height">Distance from zero to <paramref name="Most"/>, SVG units.</param>
/// <param name="Most">The value at the lane's upper edge.</param>
sealed record Lane(Plot Plot, IReadOnlyList<(EventTime At, SeriesPoint Values)> Points, double Top, double Height, double Most)
{
    /// <summary>Position of the value zero, SVG units.</summary>
    public double Bottom => Top + Height;

    public double Y(double value) => Bottom - Math.Clamp(value / Most, 0, 1) * Height;

    /// <summary>Draws a line in steps, interrupted where the value is not known.</summary>
    public Markup Line(string look, Func<SeriesPoint, double?> value) => Path(look, Steps(value, close: false));

    /// <summary>Draws a filled area in steps, interrupted where the value is not known.</summary>
    public Markup Area(string look, Func<SeriesPoint, double?> value) => Path(look, Steps(value, close: true));

    /// <summary>Draws a rectangle over each interval in which the value is not known.</summary>
    public Markup Unknown(Func<SeriesPoint, double?> value) =>
        Markup.Join(Runs(p => value(p) is null).Select(run => Markup.Of(
            $"<rect class=\"unknown\" x=\"{run.From}\" y=\"{Top}\" width=\"{run.To - run.From}\" height=\""
                + $"{Height}\"><title>not known</title></rect>")));

    /// <summary>Draws the lane's name, its scale and its line at zero.</summary>
    public Markup Frame(string name, Func<double, string> label) => Markup.Of(
        $"<text class=\"name\" x=\"0\" y=\"{Top + 9}\">{name}</text><text class=\"scale\" x=\"{Plot.Left - 6}\" y=\"{Top + 9}\">"
            + $"{label(Most)}</text><text class=\"scale\" x=\"{Plot.Left - 6}\" y=\"{Bottom}\">{label(0)}</text><path class=\"rule\" d=\"M"
            + $"{Plot.Left} {Top}H{Plot.Right}M{Plot.Left} {Bottom}H{Plot.Right}\"/>");

    static Markup Path(string look, string data) => data.Length == 0 ? Markup.None : Markup.Of($"<path class=\"{look}\" d=\"{data}\"/>");

    string Steps(Func<SeriesPoint, double?> value, bool close)
    {
        var data = new StringBuilder();
        foreach (var (from, to) in Stretches(value))
        {
            var level = double.NaN;
            for (var i = from; i < to; i++)
            {
                var (x, y) = (X(i), Y(value(Points[i].Values)!.Value));
                if (i == from)
                {
                    data.Append(CultureInfo.InvariantCulture, $"M{x:0.#} {(close ? Bottom : y):0.#}")
                        .Append(close ? string.Create(CultureInfo.InvariantCulture, $"V{y:0.#}") : "");
                }
                else if (Math.Abs(y - level) > 0.04)
                {
                    data.Append(CultureInfo.InvariantCulture, $"H{x:0.#}V{y:0.#}");
                }

                level = y;
            }

            data.Append(CultureInfo.InvariantCulture, $"H{X(to):0.#}")
                .Append(close ? string.Create(CultureInfo.InvariantCulture, $"V{Bottom:0.#}Z") : "");
        }

        return data.ToString();
    }

    double X(int index) => index < Points.Count ? Plot.X(Points[index].At) : Plot.Right;

    IEnumerable<(int From, int To)> Stretches(Func<SeriesPoint, double?> value)
    {
        var from = -1;
        for (var i = 0; i <= Points.Count; i++)
        {
            var known = i < Points.Count && value(Points[i].Values) is not null;
            if (known && from < 0)
            {
                from = i;
            }
            else if (!known && from >= 0)
            {
                yield return (from, i);
                from = -1;
            }
        }
    }

    IEnumerable<(double From, double To)> Runs(Func<SeriesPoint, bool> holds) =>
        Stretches(p => holds(p) ? 1 : null).Select(run => (X(run.From), X(run.To)));
}
