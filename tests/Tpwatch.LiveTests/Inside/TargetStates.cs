using System.Globalization;

namespace Tpwatch.LiveTests.Inside;

/// <summary>
/// Looks all the while whether a process, or any of its threads, is stopped: from a thread of its own, as often as it gets to it.
/// </summary>
sealed class TargetStates : IDisposable
{
    const int LookEveryMs = 2;

    /// <summary>All its threads are looked at only every so many times.</summary>
    const int ThreadsEvery = 10;

    readonly string folder;
    readonly Thread thread;
    readonly SortedSet<char> states = [];
    volatile bool over;
    int looks;

    /// <summary>Begins to look.</summary>
    public TargetStates(int pid)
    {
        folder = "/proc/" + pid.ToString(CultureInfo.InvariantCulture);
        thread = new(Watch) { IsBackground = true };
        thread.Start();
    }

    /// <summary>Ends it: it was looked at, and was never stopped, neither by a signal (T) nor by a tracer (t).</summary>
    public void NeverStopped()
    {
        Dispose();
        Assert.InRange(looks, 50, int.MaxValue);
        Assert.DoesNotContain('T', states);
        Assert.DoesNotContain('t', states);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        over = true;
        thread.Join();
    }

    void Watch()
    {
        for (; !over; looks++)
        {
            Look(folder);
            if (looks % ThreadsEvery == 0)
            {
                ThreadsOf(folder).ForEach(Look);
            }

            Thread.Sleep(LookEveryMs);
        }
    }

    static List<string> ThreadsOf(string folder)
    {
        try
        {
            return [.. Directory.EnumerateDirectories(folder + "/task")];
        }
        catch (IOException)
        {
            return [];
        }
    }

    void Look(string of)
    {
        try
        {
            var text = File.ReadAllText(of + "/stat");
            // The name before it may hold anything.
            states.Add(text[text.LastIndexOf(')') + 2]);
        }
        catch (IOException)
        {
            // It has ended.
        }
    }
}
