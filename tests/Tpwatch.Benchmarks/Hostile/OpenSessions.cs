namespace Tpwatch.Benchmarks.Hostile;

/// <summary>How many sessions a target has, seen from outside: the runtime sends each from a thread of its own, which it names.</summary>
static class OpenSessions
{
    /// <summary>The thread that listens at the diagnostic port is called so, too.</summary>
    const string ThreadName = ".NET EventPipe";

    /// <summary>Two seconds are promised; the machine may be busy.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(5);

    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(20);

    /// <summary>All of them end in time.</summary>
    public static async Task AreGoneAsync(int pid)
    {
        if (!await BecomeAsync(pid, count => count <= 0, EndLimit))
        {
            throw new HarmDoneException(Harm.LeftBehind, "a session in the target");
        }
    }

    /// <summary>One is open.</summary>
    public static async Task IsOpenAsync(int pid)
    {
        if (!await BecomeAsync(pid, count => count > 0, Ground.Limit))
        {
            throw new HarmDoneException(Harm.Hung, "no session was opened");
        }
    }

    static async Task<bool> BecomeAsync(int pid, Func<int, bool> wanted, TimeSpan within)
    {
        for (var began = TimeProvider.System.GetTimestamp(); TimeProvider.System.GetElapsedTime(began) < within; await Task.Delay(Pace))
        {
            if (wanted(Count(pid)))
            {
                return true;
            }
        }

        return false;
    }

    static int Count(int pid)
    {
        try
        {
            return Directory.GetDirectories($"/proc/{Ground.Text(pid)}/task").Count(Sends) - 1;
        }
        catch (DirectoryNotFoundException)
        {
            return 0;
        }
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
