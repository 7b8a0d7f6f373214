using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>The newest values as words; what is not known is a question mark. Padded, so that neighbours keep their place.</summary>
static class LevelTexts
{
    const string Unknown = "?";

    public static IEnumerable<string> Short(PoolLevels levels) =>
    [
        $"threads {Count(levels.Workers)}/{Count(levels.Goal)}".PadRight(13),
        $"queue {Count(levels.Backlog)}".PadRight(9),
        $"cpu {Cpu(levels)}".PadRight(7),
        $"done {Done(levels)}".PadRight(10),
    ];

    /// <summary>The value with its name, or nothing where it is not known.</summary>
    public static string Known(string name, long? value) => value is { } known ? $"{name} {Format.Brief(known)}" : "";

    /// <summary>The newest value, or nothing where it is not known.</summary>
    public static string Newest(Scene scene, long? value) => value is { } known ? Newest(scene, Format.Brief(known)) : "";

    /// <summary>
    /// A value with its moment: of a target that ended it is the last, and of a picture that stands still the axis tells the time.
    /// </summary>
    public static string Newest(Scene scene, string value)
    {
        var text = scene.State.Freeze is not null ? value : $"{value} {(scene.IsOver ? "last" : "now")}";
        return text.Length <= LaneBox.NoteColumns ? text : value;
    }

    /// <summary>What reads as 9.0 s in a sentence is 9s here too: the second between two counter samples may be a little less.</summary>
    const double HalfTenthMs = 50;

    /// <summary>An age that is at least reached, in at most three characters: <c>2s</c>, <c>99s</c>, <c>4m</c>, <c>12h</c>.</summary>
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

    // As a sentence spells a small one, so that 2.5 items a second are not 3 here.
    static string Rate(double rate) => rate < 9.95 ? Format.Rate(rate) : Format.Brief(rate) + "/s";
}
