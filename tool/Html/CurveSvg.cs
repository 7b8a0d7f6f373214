using System.Text;
using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>What was seen and what was imagined over the same time: workers above, backlog beneath.</summary>
static class CurveSvg
{
    const double Left = 74;
    const double Right = 750;
    const double LaneHeight = 62;

    /// <summary>The drawing.</summary>
    /// <param name="columns">Stretches of equal length.</param>
    /// <param name="described">The same in words.</param>
    public static Markup Draw(IReadOnlyList<WhatIfColumn> columns, string described)
    {
        var lengthMs = columns.Count < 2 ? 1 : columns[1].FromMs * columns.Count;
        return Markup.Of(
            $"<svg class=\"c\" viewBox=\"0 0 760 168\" role=\"img\" aria-label=\"{described}\">"
                + $"{Lane("threads", 6, columns, c => c.SeenWorkers, c => c.Workers)}"
                + $"{Lane("queue", 82, columns, c => c.SeenBacklog, c => c.Backlog)}<text class=\"axis\" x=\""
                + $"{Left}\" y=\"160\">0s</text><text class=\"axis\" x=\"{(Left + Right) / 2}\" y=\"160\">{Format.Duration(lengthMs / 2)}"
                + $"</text><text class=\"axis\" x=\"{Right - 8}\" y=\"160\">{Format.Duration(lengthMs)}</text></svg>");
    }

    static Markup Lane(string name, double top, IReadOnlyList<WhatIfColumn> columns,
        Func<WhatIfColumn, long?> seen, Func<WhatIfColumn, long?> imagined)
    {
        var most = Plot.Nice(columns.Max(c => Math.Max(seen(c) ?? 0, imagined(c) ?? 0)), 4);
        string Line(Func<WhatIfColumn, long?> value)
        {
            var data = new StringBuilder();
            var pen = false;
            for (var i = 0; i < columns.Count; i++)
            {
                var y = value(columns[i]) is { } v ? top + LaneHeight * (1 - v / most) : double.NaN;
                var (from, to) = (Left + (Right - Left) * i / columns.Count, Left + (Right - Left) * (i + 1) / columns.Count);
                data.Append(
                    double.IsNaN(y)
                        ? ""
                        : string.Create(CultureInfo.InvariantCulture, $"{(pen ? $"V{y:0.#}" : $"M{from:0.#} {y:0.#}")}H{to:0.#}"));
                pen = !double.IsNaN(y);
            }

            return data.ToString();
        }

        return Markup.Of(
            $"<text class=\"name\" x=\"0\" y=\"{top + 9}\">{name}</text><text class=\"scale\" x=\"{Left - 6}\" y=\"{top + 9}\">"
                + $"{Format.Brief(most)}</text><text class=\"scale\" x=\"{Left - 6}\" y=\"{top + LaneHeight}\">0</text>"
                + $"<path class=\"rule\" d=\"M{Left} {top}H{Right}M{Left} {top + LaneHeight}H{Right}\"/><path class=\"seen\" d=\""
                + $"{Line(seen)}\"/><path class=\"imagined\" d=\"{Line(imagined)}\"/>");
    }
}
