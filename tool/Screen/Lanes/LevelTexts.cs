namespace Tpwatch.Screen.Lanes;

/// <summary>The newest values as words; what is not known is a question mark. Padded, so that neighbours keep their place.</summary>
static class LevelTexts
{
    const string Unknown = "?";

    public static IEnumerable<string> Short(PoolLevels levels) =>
    [
        $"thr {Count(levels.Workers)}/{Count(levels.Goal)}".PadRight(9),
        $"q {Count(levels.Backlog)}".PadRight(5),
        $"cpu {Cpu(levels)}".PadRight(7),
        $"done {Done(levels)}".PadRight(10),
    ];

    /// <summary>The value with its name, or nothing where it is not known.</summary>
    public static string Known(string name, long? value) => value is { } known ? $"{name} {Format.Brief(known)}" : "";

    /// <summary>The value now, or nothing where it is not known.</summary>
    public static string Now(long? value) => value is { } known ? $"{Format.Brief(known)} now" : "";

    /// <summary>An age in at most three characters: <c>2s</c>, <c>99s</c>, <c>4m</c>, <c>12h</c>.</summary>
    public static string Age(double milliseconds) => milliseconds switch
    {
        < 99_500 => string.Create(CultureInfo.InvariantCulture, $"{milliseconds / 1000:0}s"),
        < 5_940_000 => string.Create(CultureInfo.InvariantCulture, $"{Math.Floor(milliseconds / 60_000):0}m"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{Math.Floor(milliseconds / 3_600_000):0}h"),
    };

    public static string Count(long? value) => value is { } known ? Format.Brief(known) : Unknown;

    public static string Cpu(PoolLevels levels) => levels.Cpu is { } share ? Format.Percent(share) : Unknown;

    public static string Done(PoolLevels levels) => levels.CompletedPerSecond is { } rate ? Format.Brief(rate) + "/s" : Unknown;
}
