namespace Tpwatch.Screen.Views;

/// <summary>How many rows each part of the overview gets; the sum is the height.</summary>
/// <param name="Threads">The lane of worker threads.</param>
/// <param name="Verdicts">1 when verdicts have a lane.</param>
/// <param name="Ticks">2 when gap lengths and gate ticks have lanes.</param>
/// <param name="Queue">The lane of the queue.</param>
/// <param name="Cpu">The lane of the processors.</param>
/// <param name="Done">The lane of completions.</param>
/// <param name="Requests">1 or 2 where requests are watched.</param>
/// <param name="Axis">The axis: its foot, and its labels where they have a row of their own.</param>
/// <param name="Panel">The first finding.</param>
sealed record OverviewLayout(int Threads, int Verdicts, int Ticks, int Queue, int Cpu, int Done, int Requests, int Axis, int Panel)
{
    /// <summary>Marks, what they mean, and the starved band.</summary>
    const int Fixed = 3;

    const int NormalWidth = 100;
    const int NormalHeight = 24;
    const int CompactHeight = 18;

    /// <summary>Title, two lines of what, one of why, and three for each of two things to do.</summary>
    const int WholeFinding = 10;

    const int MostFinding = 18;

    /// <summary>From here on the lane of requests has a row for the slowest; before, the others need it.</summary>
    const int TwoForRequests = 30;

    /// <summary>A line that does not move says as much in two rows.</summary>
    const int FlatThreads = 2;

    const int MostThreads = 14;

    /// <param name="width">Columns of the screen.</param>
    /// <param name="height">Rows of the view.</param>
    /// <param name="lanes">What else is drawn.</param>
    public static OverviewLayout For(int width, int height, OverviewLanes lanes)
    {
        var normal = width >= NormalWidth && height >= NormalHeight;
        var (verdicts, ticks, axis) = (lanes.Verdicts ? 1 : 0, lanes.Ticks ? 2 : 0, normal ? 2 : 1);
        var requests = !lanes.Requests ? 0 : normal && height >= TwoForRequests ? 2 : 1;
        var panel = height >= CompactHeight ? Math.Clamp(height * 2 / 5, WholeFinding, MostFinding) : height / 3;
        var room = height - Fixed - axis - verdicts - ticks - requests - panel;
        if (room < 4)
        {
            panel -= 4 - room;
            room = 4;
        }

        var small = Math.Clamp(room / 5, 1, 4);
        var queue = lanes.FlatQueue ? small : Math.Clamp(room / 3, 1, 10);
        var threads = Math.Clamp(room - queue - 2 * small, 1, lanes.FlatThreads ? FlatThreads : MostThreads);
        return new(threads, verdicts, ticks, queue, small, small, requests, axis, panel + room - threads - queue - 2 * small);
    }
}

/// <summary>What of the lanes is wanted, and which of them hold one value all the time.</summary>
readonly record struct OverviewLanes(bool Verdicts, bool Ticks, bool FlatThreads, bool FlatQueue, bool Requests = false);
