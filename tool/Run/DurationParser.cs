namespace Tpwatch.Run;

/// <summary>
/// Parses durations such as <c>250ms</c>, <c>30s</c>, <c>5m</c>, <c>1h</c>, <c>1m30s</c>, <c>2d</c>, and <c>dd:hh:mm:ss</c> as in the
/// other .NET diagnostic tools.
/// </summary>
static class DurationParser
{
    /// <summary>Maximum accepted duration; the runtime's timers are limited to 49 days.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromDays(31);

    const int MaxDigits = 9;

    /// <summary>Parses a duration that is above zero and not longer than <see cref="Longest"/>.</summary>
    public static bool TryParse(string text, out TimeSpan duration)
    {
        var whole = text.Contains(':', StringComparison.Ordinal) ? Clock(text) : Units(text);
        duration = whole ?? TimeSpan.Zero;
        return duration > TimeSpan.Zero && duration <= Longest;
    }

    static TimeSpan? Clock(string text) =>
        TimeSpan.TryParseExact(
            text, [@"d\:hh\:mm\:ss", @"dd\:hh\:mm\:ss", @"h\:mm\:ss", @"hh\:mm\:ss"], CultureInfo.InvariantCulture, out var value)
            ? value
            : null;

    static TimeSpan? Units(string text)
    {
        var milliseconds = 0.0;
        for (var rest = text.AsSpan().Trim(); rest.Length > 0;)
        {
            var digits = Leading(rest, c => char.IsAsciiDigit(c) || c == '.');
            var letters = Leading(rest[digits..], char.IsAsciiLetter);
            if (digits is 0 or > MaxDigits || Unit(rest.Slice(digits, letters)) is not { } unit
                || !double.TryParse(rest[..digits], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var count))
            {
                return null;
            }

            milliseconds += count * unit;
            rest = rest[(digits + letters)..];
        }

        return milliseconds <= Longest.TotalMilliseconds ? TimeSpan.FromMilliseconds(milliseconds) : null;
    }

    static int Leading(ReadOnlySpan<char> text, Func<char, bool> belongs)
    {
        var length = 0;
        while (length < text.Length && belongs(text[length]))
        {
            length++;
        }

        return length;
    }

    static double? Unit(ReadOnlySpan<char> unit) => unit switch
    {
        "ms" => 1,
        "s" => 1_000,
        "m" or "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => null,
    };
}

/// <summary>
/// Parses sizes such as <c>64MB</c>, <c>1GB</c>, <c>500kB</c>, <c>1000000</c>; a kilobyte has 1024 bytes, as in the other .NET
/// diagnostic tools.
/// </summary>
static class ByteSizeParser
{
    static readonly (string Suffix, long Bytes)[] Units =
    [
        ("KIB", 1L << 10), ("MIB", 1L << 20), ("GIB", 1L << 30), ("KB", 1L << 10), ("MB", 1L << 20), ("GB", 1L << 30), ("B", 1),
    ];

    const int MaxDigits = 12;

    /// <summary>Parses a size above zero.</summary>
    public static bool TryParse(string text, out long bytes)
    {
        var upper = text.Trim().ToUpperInvariant();
        var (suffix, unit) = Units.FirstOrDefault(u => upper.EndsWith(u.Suffix, StringComparison.Ordinal), ("", 1));
        var digits = upper[..^suffix.Length].TrimEnd();
        bytes = 0;
        if (digits.Length is 0 or > MaxDigits || !long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var count))
        {
            return false;
        }

        bytes = count <= long.MaxValue / unit ? count * unit : 0;
        return bytes > 0;
    }
}
