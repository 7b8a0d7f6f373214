using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>Texts of the newest values. <see cref="Short"/> pads the texts, so that neighbouring texts keep their place.</summary>
static class LevelTexts
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

    /// <summary>
    /// Returns a value with "now" or "last" (of a target that has ended); alone in a frozen picture, whose axis shows the time.
    /// </summary>
    public static string Newest(Scene scene, string value)
    {
        var text = scene.State.Freeze is not null ? value : $"{value} {(scene.IsOver ? "last" : "now")}";
        return text.Length <= LaneBox.NoteColumns ? text : value;
    }

    /// <summary>Added to an age before rounding down, milliseconds, so that 8.95 s becomes 9s: samples may come slightly early.</summary>
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
