using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// One lane (chart over time): its name and row labels at the left, the plot, and notes at the right. The space left and right of the plot
/// has a fixed width, so that all lanes share one time axis.
/// </summary>
sealed class LaneBox
{
    /// <summary>Number of columns right of the plot, including the border of the plot.</summary>
    public const int RightGutter = 12;

    /// <summary>Maximum length of a note, columns.</summary>
    public const int NoteColumns = RightGutter - 2;

    const int WideScreen = 100;

    readonly Pane pane;
    readonly string name;
    readonly int left;

    public LaneBox(Pane pane, string name)
    {
        (this.pane, this.name) = (pane, name);
        left = LeftGutter(pane.Width);
        Plot = pane.Columns(left + 1, PlotColumns(pane.Width));
        pane.Put(0, 0, name);
        for (var row = 0; row < pane.Height; row++)
        {
            pane.Put(left, row, pane.Glyphs.Side, Role.Faint);
            pane.Put(left + 1 + Plot.Width, row, pane.Glyphs.Side, Role.Faint);
        }
    }

    public Pane Plot { get; }

    /// <summary>Returns the number of columns of the plot on a screen of the given width.</summary>
    public static int PlotColumns(int width) => Math.Max(0, width - LeftGutter(width) - 1 - RightGutter);

    public void Label(int row, string text) => pane.PutEndingAt(left, row, text, Role.Faint);

    /// <summary>
    /// Writes the values at the top and the bottom of the lane; a lane of one row gets only the top value. The rows in between have no
    /// label, because users would read a label there as the value of the area next to it.
    /// </summary>
    public void Ends(string top, string foot)
    {
        Scale(top);
        if (pane.Height > 1)
        {
            Label(pane.Height - 1, foot);
        }
    }

    /// <summary>Writes the value at the top of the lane, unless the value would touch the name.</summary>
    public void Scale(string text)
    {
        if (name.Length + 1 + text.Length <= left || pane.Height == 0)
        {
            Label(0, text);
        }
    }

    public void Note(int row, string text, Role role = Role.Text) =>
        pane.Put(left + 3 + Plot.Width, row, TextFit.Cut(text, NoteColumns), role);

    /// <summary>Hatches the columns in which events were lost, because no lane may draw values there as if the values were known.</summary>
    public void Hatch(FoldedTimeline fold)
    {
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            for (var row = 0; row < Plot.Height && fold.Columns[x].Lost; row++)
            {
                Plot.Put(x, row, (fold.First + x + row) % 2 == 0 ? 'x' : ' ', Role.Lost);
            }
        }
    }

    static int LeftGutter(int width) => width >= WideScreen ? 11 : 10;
}

/// <summary>
/// The axis below all lanes: a tick every twelve columns. While the screen follows the newest data, labels count back from now and keep
/// their place. Otherwise the labels show the time since the capture's start and move with their columns.
/// </summary>
static class TimeAxis
{
    /// <summary>Number of columns between labels: wide enough for a label, and a round time (0.6 s to 12 min) at every zoom.</summary>
    public const int TickEvery = 12;

    /// <param name="pane">A pane as wide as the screen: two rows for ticks and labels, or one row with labels between the ticks.</param>
    public static void Draw(Pane pane, Scene scene)
    {
        var columns = LaneBox.PlotColumns(pane.Width);
        var left = pane.Width - LaneBox.RightGutter - columns - 1;
        var glyphs = pane.Glyphs;
        pane.Put(left, 0, glyphs.Corner, Role.Faint);
        pane.Put(left + 1 + columns, 0, glyphs.CornerRight, Role.Faint);
        pane.Columns(left + 1, columns).Fill(0, glyphs.Rule, Role.Faint);
        DrawCoarse(pane.Columns(left + 1, columns), scene, labelled: pane.Height == 1);
        var right = left + 3 + columns;
        foreach (var (x, label) in Ticks(scene.Window(columns), scene.State.Follows, scene.Newest))
        {
            pane.Put(left + 1 + x, 0, glyphs.Tick, Role.Faint);
            // A blank separates the last label from the text at the right.
            var end = pane.Height > 1 ? Math.Min(left + 2 + x + label.Length / 2, right - 1) : left + 1 + x;
            pane.PutEndingAt(end, pane.Height - 1, label, Role.Faint);
        }

        pane.Put(right, pane.Height - 1, Where(scene, columns), Role.Text);
        if (pane.Height > 1)
        {
            pane.Put(right, 0, $"{Format.Seconds(scene.State.ScaleMs)}/col", Role.Faint);
        }
    }

    // Returns the state of the screen, such as follow. For earlier data, returns its age, or the key that shows the newest data.
    static string Where(Scene scene, int columns) => scene.State switch
    {
        { Freeze: not null } => "frozen",
        { Follows: true } => scene.IsOver ? "ended" : "follow",
        _ when scene.Timeline.Now.MsSince(scene.Window(columns).To) is >= 1000 and var ago => $"{LatestValueTexts.Age(ago)} ago",
        _ => scene.IsOver ? "f: the end" : "f: follow",
    };

    // Draws the axis dotted where only one data point per second is still kept; a word marks where finer data begins.
    static void DrawCoarse(Pane foot, Scene scene, bool labelled)
    {
        var buckets = scene.Timeline.Buckets;
        if (buckets.DetailIndex <= buckets.FirstIndex)
        {
            return;
        }

        var window = scene.Window(foot.Width);
        var (first, detail) = (window.XOf(buckets.TimeOf(buckets.FirstIndex)), window.XOf(buckets.TimeOf(buckets.DetailIndex)));
        for (var x = Math.Max(0, first); x < detail; x++)
        {
            foot.Put(x, 0, foot.Glyphs.Calm, Role.Faint);
        }

        // Places the word right or left of where the detailed data begins, so that the word overlaps no mark or label of the axis.
        (int X, string Label)[] ticks = [.. Ticks(window, scene.State.Follows, scene.Newest)];
        foreach (var x in new[] { detail, detail - DetailWord.Length })
        {
            if (first < detail && x > 0 && x + DetailWord.Length <= foot.Width
                && !ticks.Any(t => t.X >= x && t.X - (labelled ? t.Label.Length : 0) < x + DetailWord.Length))
            {
                foot.Put(x, 0, DetailWord, Role.Text);
                return;
            }
        }
    }

    /// <summary>Word that marks where finer data begins; left of that point, one data point per second is kept.</summary>
    const string DetailWord = "detail";

    // Returns a time before now as text, in minutes if all ticks are whole minutes.
    static string Back(double ms, int scaleMs) => (double)scaleMs * TickEvery % 60_000 == 0
        ? FormattableString.Invariant($"{ms / 60_000:0}m") : Format.Seconds(ms);

    /// <summary>Returns the columns with a tick, each with its label, from left to right.</summary>
    public static IEnumerable<(int X, string Label)> Ticks(TimeWindow window, bool fromNow, string newest = "now")
    {
        for (var x = 0; x < window.Count; x++)
        {
            var back = window.Count - 1 - x;
            if (fromNow && back % TickEvery == 0)
            {
                yield return (x, back == 0 ? newest : "-" + Back((double)back * window.ScaleMs, window.ScaleMs));
            }
            else if (!fromNow && window.First + x >= 0 && (window.First + x) % TickEvery == 0)
            {
                var ms = (window.First + x) * (double)window.ScaleMs;
                yield return (x, Format.Clock(ms, tenths: window.ScaleMs * TickEvery % 1000 != 0));
            }
        }
    }
}

/// <summary>Texts of the newest values. <see cref="Short"/> pads each text, so that the next text keeps its place.</summary>
static class LatestValueTexts
{
    const string Unknown = "?";

    public static IEnumerable<string> Short(PoolLevels levels) =>
    [
        $"threads {Count(levels.Workers)}/{Count(levels.TargetThreads)}".PadRight(13),
        $"queue {Count(levels.QueueLength)}".PadRight(9),
        $"cpu {Cpu(levels)}".PadRight(7),
        $"done {Done(levels)}".PadRight(10),
    ];

    /// <summary>Returns a value with its name; empty if the value is not known.</summary>
    public static string Known(string name, long? value) => value is { } known ? $"{name} {Format.Brief(known)}" : "";

    /// <summary>Returns the newest value as text; empty if the value is not known.</summary>
    public static string Newest(Scene scene, long? value) => value is { } known ? Newest(scene, Format.Brief(known)) : "";

    /// <summary>Returns a value followed by "now", or by "last" after the session; only the value if frozen or too long.</summary>
    public static string Newest(Scene scene, string value)
    {
        var text = scene.State.Freeze is not null ? value : $"{value} {(scene.IsOver ? "last" : "now")}";
        return text.Length <= LaneBox.NoteColumns ? text : value;
    }

    /// <summary>Milliseconds added to an age before rounding down, so that 8.95 s becomes 9s: samples may come slightly early.</summary>
    const double HalfTenthMs = 50;

    /// <summary>Returns an age in up to three characters, rounded down: <c>2s</c>, <c>99s</c>, <c>4m</c>, <c>12h</c>.</summary>
    public static string Age(double milliseconds) => milliseconds switch
    {
        < 1_000 - HalfTenthMs => "<1s",
        < 100_000 => string.Create(CultureInfo.InvariantCulture, $"{Math.Floor((milliseconds + HalfTenthMs) / 1000):0}s"),
        < 5_940_000 => string.Create(CultureInfo.InvariantCulture, $"{Math.Floor(milliseconds / 60_000):0}m"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{Math.Floor(milliseconds / 3_600_000):0}h"),
    };

    public static string Count(long? value) => value is { } known ? Format.Brief(known) : Unknown;

    public static string Cpu(PoolLevels levels) => levels.Cpu is { } share ? Format.Percent(share) : Unknown;

    public static string Done(PoolLevels levels) => levels.CompletedPerSecond is { } rate ? Rate(rate) : Unknown;

    // Small rates keep a decimal, as in sentences, so that 2.5 items per second are not shown as 3.
    static string Rate(double rate) => rate < 9.95 ? Format.Rate(rate) : Format.Brief(rate) + "/s";
}
