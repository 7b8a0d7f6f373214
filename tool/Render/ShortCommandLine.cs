namespace Tpwatch.Render;

/// <summary>A command line without what may be secret: the program, the assembly that <c>dotnet</c> runs, and nothing after.</summary>
internal static class ShortCommandLine
{
    /// <summary><c>/usr/bin/dotnet /srv/OrderApi.dll --password x</c> becomes <c>dotnet OrderApi.dll …</c>.</summary>
    public static string Of(string commandLine)
    {
        var words = commandLine.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var kept = words.Take(KeptWords(words)).Select(FileName);
        return string.Join(' ', kept.Concat(words.Length > KeptWords(words) ? ["…"] : []));
    }

    static int KeptWords(string[] words) => words.Length > 1 && IsAssembly(words[1]) ? 2 : Math.Min(1, words.Length);

    static bool IsAssembly(string word) =>
        word.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || word.EndsWith(".exe", StringComparison.OrdinalIgnoreCase);

    static string FileName(string word) => word[(word.LastIndexOfAny(['/', '\\']) + 1)..];
}
