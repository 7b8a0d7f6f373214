using System.Globalization;

namespace Tpwatch.Attach.Running;

/// <summary>The name of a thread as the kernel has it; the runtime names those of the pool.</summary>
internal static class ThreadName
{
    /// <summary>What the runtime calls a worker, since .NET 7.</summary>
    public const string Worker = ".NET TP Worker";

    /// <summary>Null where it cannot be seen.</summary>
    public static string? Of(int pid, int thread)
    {
        try
        {
            return File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/task/{thread}/comm")).TrimEnd('\n');
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
