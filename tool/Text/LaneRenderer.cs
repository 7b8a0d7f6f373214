namespace Tpwatch.Text;

/// <summary>Two curves in one lane of plain characters: o measured, * simulated, @ both.</summary>
static class LaneRenderer
{
    const int Height = 6;

    const int ScaleWidth = 8;

    /// <summary>The lines of a lane, its highest value first; unknown values are left out.</summary>
    public static IEnumerable<string> Lines(string title, IReadOnlyList<double?> seen, IReadOnlyList<double?> simulated)
    {
        var top = Math.Max(1, seen.Concat(simulated).Max() ?? 1);
        for (var row = Height - 1; row >= 0; row--)
        {
            var scale = row == Height - 1 ? Format.Count((long)top) : row == 0 ? "0" : "";
            var cells = seen.Zip(simulated, (one, other) => Mark(Row(one, top) == row, Row(other, top) == row));
            yield return $"{scale,ScaleWidth} |{new string(cells.ToArray())}".TrimEnd() + (row == Height - 1 ? $"  {title}" : "");
        }
    }

    /// <summary>The axis below a lane.</summary>
    public static string Axis(int columns, double lengthMs)
    {
        var end = Format.Seconds(Math.Round(lengthMs / 10) * 10);
        return $"{"",ScaleWidth} +{new string('-', columns)}\n{"",ScaleWidth}  0s{end.PadLeft(columns - 2)}";
    }

    static int Row(double? value, double top) => value is { } v ? (int)Math.Round(v / top * (Height - 1)) : -1;

    static char Mark(bool seen, bool simulated) => (seen, simulated) switch
    {
        (true, true) => '@',
        (true, false) => 'o',
        (false, true) => '*',
        _ => ' ',
    };
}
