using Tpwatch.Explain;
using Tpwatch.Render.Tui.Widgets;

namespace Tpwatch.Render.Tui.Views;

/// <summary>Where workers wait. This capture cannot know; the view says what would, what that costs, and what can be said without.</summary>
internal sealed class StacksView : IView
{
    const int Indent = 11;

    public ViewName Name => ViewName.Stacks;

    public string Title => "Stacks";

    public string Brief => "Stacks";

    public string Count(PoolReport report) => "";

    public void Draw(Pane pane, Scene scene)
    {
        pane.Put(1, 0, "No stacks: this version captures at basic depth, which holds none.", Role.Title);
        var lines = Texts(scene).SelectMany(t => TextBlock.Labelled(t.Label, t.Text, (Indent, pane.Width - 2)).Append(new("")));
        TextBlock.Draw(pane.Rows(2, pane.Height - 2), [.. lines], scene.State.Scroll);
    }

    static IEnumerable<(string Label, string Text)> Texts(Scene scene)
    {
        yield return ("Known", Known(scene.Report));
        var pid = Render.Words.Pid(scene.Timeline.Target);
        yield return ("Now", $"dotnet-stack report -p {pid} prints every stack once. Take it while the line above says STARVED, and look for frames that stand on many workers (above ThreadPoolWorkQueue.Dispatch).");
        yield return ("Would show", "Which call holds each worker while items wait, by share of the samples; and whether the pool can see the wait (tasks) or not (locks, semaphores, sleeps, synchronous I/O).");
        yield return ("Needs", "The runtime's sample profiler in a second session, for bursts of 20 to 50 ms.");
        yield return ("Costs", "Each sample stops all managed threads, about one a millisecond in a burst; from start to names 0.5 to 0.9 s. So it will be off unless asked for.");
    }

    static string Known(PoolReport report)
    {
        var levels = report.Timeline.Levels;
        var now = $"{LevelTexts.Count(levels.Workers)} workers, {LevelTexts.Count(levels.Backlog)} items wait, cpu {LevelTexts.Cpu(levels)}, {LevelTexts.Done(levels)} done.";
        return levels is { Workers: > 0, Backlog: > 0, Cpu: < HardlyComputing }
            ? $"{now} Items wait and the processors are idle: the workers wait for something, they do not compute."
            : now;
    }

    const double HardlyComputing = 0.2;
}
