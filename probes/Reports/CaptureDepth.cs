namespace Tpwatch.Reports;

/// <summary>The kinds of data that tpwatch collects from the target, by their cost there; see `--depth`.</summary>
[Flags]
public enum CaptureDepth
{
    /// <summary>The pool's own decisions and counter samples: a few dozen events per second.</summary>
    Basic = 0,

    /// <summary>In addition, two events per work item: its queue time and run time.</summary>
    Items = 1,

    /// <summary>
    /// In addition, short stack bursts, two at the start and more while items wait, with the locks that threads wait for; these show
    /// which code holds the worker threads.
    /// </summary>
    Stacks = 2,

    /// <summary>
    /// Basic depth until items have waited or hung for two seconds, then up to three stack bursts; none in a healthy target.
    /// </summary>
    Auto = 4,

    /// <summary>
    /// In addition, two events per HTTP request of an ASP.NET Core server: which routes are slow, and which request a worker thread runs.
    /// Part of <see cref="Auto"/> once an episode lasts.
    /// </summary>
    Requests = 8,

    /// <summary>
    /// In addition, readings of the process's own memory, two at the start and more while items wait: the queued items, what blocked
    /// threads wait for, and the limits, without pausing the process. Part of <see cref="Auto"/>.
    /// </summary>
    Inside = 16,
}

/// <summary>Properties that several depths share.</summary>
static class CaptureDepths
{
    /// <summary>Whether the depth needs a second session from the start.</summary>
    public static bool HasSession(this CaptureDepth depth) =>
        (depth & (CaptureDepth.Items | CaptureDepth.Stacks | CaptureDepth.Requests)) != 0;
}
