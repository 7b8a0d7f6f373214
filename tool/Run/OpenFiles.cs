using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.Run;

/// <summary>
/// How many files we may have open. The .NET runtime alone opens sixty, and where they do not suffice it cannot load our assemblies, or
/// takes the target for dead; so it is said before. What stands here needs no assembly but the runtime's first, and no stream of ours.
/// </summary>
static class OpenFiles
{
    const int Enough = 128;
    const string Limits = "/proc/self/limits";
    const string Line = "Max open files";
    const int StandardError = 2;

    /// <summary>Whether there are enough; where not, standard error says so.</summary>
    public static bool Suffice()
    {
        if (Read() is not { } limits || Allowed(limits) is not { } allowed || allowed >= Enough)
        {
            return true;
        }

        Say(string.Create(CultureInfo.InvariantCulture,
            $"tpwatch: tpwatch needs {Enough} open files, but the limit here is {allowed}.\n  Raise the limit: ulimit -n 1024.\n"));
        return false;
    }

    /// <summary>The soft limit; null where none stands there.</summary>
    internal static int? Allowed(string limits) =>
        limits.IndexOf(Line, StringComparison.Ordinal) is >= 0 and var at
        && limits[(at + Line.Length)..].TrimStart(' ').Split(' ', 2) is [var first, ..]
        && int.TryParse(first, CultureInfo.InvariantCulture, out var soft)
            ? soft
            : null;

    // Where the limits cannot be read, nothing is refused.
    static string? Read()
    {
        try
        {
            return File.ReadAllText(Limits);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    static void Say(string text)
    {
        try
        {
            using var handle = new SafeFileHandle(StandardError, ownsHandle: false);
            using var error = new FileStream(handle, FileAccess.Write, bufferSize: 0);
            error.Write(Encoding.UTF8.GetBytes(text));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Whoever closed it does not want to know.
        }
    }
}
