using System.Globalization;

namespace Tpwatch.LiveTests.Attach;

/// <summary>How many sessions a target has, from outside: the runtime sends each from a thread of its own, which it names.</summary>
static class SessionsInTarget
{
    /// <summary>The thread that listens at the diagnostic port is called so, too.</summary>
    const string ThreadName = ".NET EventPipe";
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(20);

    public static int Count(int pid) =>
        Directory.GetDirectories(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/task")).Count(Sends) - 1;

    /// <summary>Waits until there are so many; false when there are not in time.</summary>
    public static async Task<bool> BecomeAsync(int pid, int count, TimeSpan within)
    {
        for (var began = TimeProvider.System.GetTimestamp(); TimeProvider.System.GetElapsedTime(began) < within;)
        {
            if (Count(pid) == count)
            {
                return true;
            }

            await Task.Delay(Pace, TestContext.Current.CancellationToken);
        }

        return false;
    }

    static bool Sends(string thread)
    {
        try
        {
            return File.ReadAllText(Path.Combine(thread, "comm")).StartsWith(ThreadName, StringComparison.Ordinal);
        }
        catch (IOException)
        {
            return false;
        }
    }
}
