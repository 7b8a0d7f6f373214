using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.Run;

/// <summary>
/// Checks the limit of open files before any other work. The .NET runtime alone opens sixty files; under a low limit, tpwatch cannot load
/// its assemblies, or the target seems to be dead. This class uses only the core library, and none of tpwatch's streams.
/// </summary>
static class OpenFiles
{
    const int Enough = 128;
    const string Limits = "/proc/self/limits";
    const string Line = "Max open files";
    const int StandardError = 2;

    /// <summary>Whether the limit of open files is high enough; if not, writes a message to standard error.</summary>
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

    /// <summary>Returns the soft limit of open files; null if the text contains none.</summary>
    internal static int? Allowed(string limits) =>
        limits.IndexOf(Line, StringComparison.Ordinal) is >= 0 and var at
        && limits[(at + Line.Length)..].TrimStart(' ').Split(' ', 2) is [var first, ..]
        && int.TryParse(first, CultureInfo.InvariantCulture, out var soft)
            ? soft
            : null;

    // If the limits cannot be read, the check passes.
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
            // Standard error is closed or its disk is full. The exit code still shows the failure.
        }
    }
}
