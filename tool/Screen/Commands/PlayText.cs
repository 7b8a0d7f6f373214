using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Commands;

/// <summary>The speeds of a replay, and the header's text about a replay.</summary>
static class PlayText
{
    /// <summary>Speeds, from slow motion for single gate checks to an hour in 36 s; the next speed is "as fast as possible".</summary>
    static readonly ImmutableArray<double> Steps = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];

    public static double? Faster(double? speed) =>
        speed is not { } known ? null : Steps.Where(s => s > known).Select(s => (double?)s).FirstOrDefault();

    public static double? Slower(double? speed) => speed is not { } known ? Steps[^1] : Steps.LastOrDefault(s => s < known, Steps[0]);

    /// <summary>Returns the header's text about a replay; null if nothing is replayed.</summary>
    public static string? Of(IPlayback? playback) => playback switch
    {
        null => null,
        { AtEnd: true } => "REPLAY end",
        { Paused: true } => $"PAUSED {Speed(playback.Speed)}",
        _ => $"REPLAY {Speed(playback.Speed)}",
    };

    public static string Speed(double? speed) => speed is { } known ? known.ToString("0.##", CultureInfo.InvariantCulture) + "x" : "max";

    /// <summary>Parses a speed: <c>2</c>, <c>0.5x</c> or <c>max</c>; null if the text is not a speed from 0.1 to 100.</summary>
    public static (bool Max, double Speed)? Parse(string text) => text == "max" ? (true, 0)
        : double.TryParse(text.TrimEnd('x'), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var speed)
            && speed >= Steps[0] && speed <= Steps[^1]
            ? (false, speed) : null;
}
