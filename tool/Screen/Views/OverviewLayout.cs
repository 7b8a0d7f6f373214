namespace Tpwatch.Screen.Views;

/// <summary>How many rows each part of the overview gets; the sum is the height.</summary>
/// <param name="Threads">The lane of workers.</param>
/// <param name="Verdicts">1 when verdicts have a lane.</param>
/// <param name="Ticks">2 when gap lengths and gate ticks have lanes.</param>
/// <param name="Queue">The lane of the backlog.</param>
/// <param name="Cpu">The lane of the processors.</param>
/// <param name="Done">The lane of completions.</param>
/// <param name="Panel">The panel of the selected gap.</param>
sealed record OverviewLayout(int Threads, int Verdicts, int Ticks, int Queue, int Cpu, int Done, int Panel)
{
    /// <summary>Markers, selection, starved band, and two rows of axis.</summary>
    const int Fixed = 5;

    const int NormalWidth = 100;
    const int NormalHeight = 24;
    const int CompactHeight = 18;

    /// <summary>With fewer rows for lanes the workers need them more than the queue.</summary>
    const int LeastForQueue = 6;

    /// <param name="width">Columns of the screen.</param>
    /// <param name="height">Rows of the view.</param>
    /// <param name="ticks">Whether the zoom shows ticks.</param>
    public static OverviewLayout For(int width, int height, bool ticks)
    {
        var normal = width >= NormalWidth && height >= NormalHeight;
        var (verdicts, tickRows) = (normal || ticks ? 1 : 0, ticks ? 2 : 0);
        var panel = normal ? Math.Clamp(height / 4, 7, 12) : height >= CompactHeight ? 5 : 2;
        var lanes = height - Fixed - verdicts - tickRows - panel;
        if (lanes < 4)
        {
            panel -= 4 - lanes;
            lanes = 4;
        }

        var (queue, small) = (lanes < LeastForQueue ? 1 : Share(lanes, 0.3, 10), Share(lanes, 0.15, 4));
        var done = lanes < 12 ? 1 : small;
        var threads = Math.Min(lanes - queue - small - done, 16);
        return new(threads, verdicts, tickRows, queue, small, done, panel + lanes - threads - queue - small - done);
    }

    static int Share(int rows, double share, int most) => Math.Clamp((int)Math.Round(rows * share), 1, most);
}
