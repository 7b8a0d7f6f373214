using Tpwatch.Attach.Processes;

namespace Tpwatch.Output;

/// <summary>
/// How many files we may have open. The .NET runtime alone opens sixty, and where they do not suffice it ends without a word or takes the
/// target for dead; so it is said before.
/// </summary>
static class OpenFiles
{
    const int Enough = 128;
    const string Limits = "/proc/self/limits";
    const string Line = "Max open files";

    /// <summary>Says it where the limit is too low.</summary>
    /// <exception cref="ForeseenException">It is.</exception>
    public static void MustSuffice()
    {
        if (ProcTree.ReadFile(Limits).Text is { } text && Allowed(text) is { } allowed && allowed < Enough)
        {
            throw new ForeseenException(
                string.Create(CultureInfo.InvariantCulture, $"tpwatch needs {Enough} open files, but the limit here is {allowed}"),
                "raise the limit: ulimit -n 1024", ExitCode.NoSession);
        }
    }

    /// <summary>The soft limit; null where none stands there.</summary>
    internal static int? Allowed(string limits) =>
        limits.IndexOf(Line, StringComparison.Ordinal) is >= 0 and var at
        && limits[(at + Line.Length)..].TrimStart(' ').Split(' ', 2) is [var first, ..]
        && int.TryParse(first, CultureInfo.InvariantCulture, out var soft)
            ? soft
            : null;
}
