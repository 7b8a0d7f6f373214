namespace Tpwatch.Options;

/// <summary>
/// Parses sizes such as <c>64MB</c>, <c>1GB</c>, <c>500kB</c>, <c>1000000</c>; a kilobyte has 1024 bytes, as in the other .NET
/// diagnostic tools.
/// </summary>
static class SizeText
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
