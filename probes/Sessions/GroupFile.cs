using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>Numbers in the files of a control group.</summary>
static class GroupFile
{
    /// <summary>All of it; null where the file is not to be read.</summary>
    public static string? Text(string level, string file) => ProcTree.ReadFile(Path.Combine(level, file)).Text?.Trim();

    /// <summary>The only number of a file; null where it holds a word, such as <c>max</c>.</summary>
    public static double? Number(string level, string file) => Number(Text(level, file));

    /// <summary>The number behind a key of a file's text.</summary>
    public static double? Field(string? text, string key) =>
        text?.Split('\n').FirstOrDefault(line => line.StartsWith(key + " ", StringComparison.Ordinal)) is { } line
            ? Number(line[(key.Length + 1)..]) : null;

    /// <summary>A number by itself.</summary>
    public static double? Number(string? text) =>
        double.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) ? value : null;
}
