namespace Tpwatch.Reports;

/// <summary>The kinds of data that tpwatch collects from the target, each with its own overhead in the target; see `--depth`.</summary>
[Flags]
public enum CaptureDepth
{
    /// <summary>The pool's own decisions and counter samples: a few dozen events per second.</summary>
    Basic = 0,

    /// <summary>In addition to Basic, two events per work item, from which its queue time and run time follow.</summary>
    Items = 1,

    /// <summary>
    /// In addition to Basic, short stack bursts and the locks that threads wait for, which show the code that holds the worker threads. Two
    /// bursts are taken at the start, more while items wait.
    /// </summary>
    Stacks = 2,

    /// <summary>
    /// Basic depth until items have waited or hung for two seconds, then up to three stack bursts. A healthy target gets no burst.
    /// </summary>
    Auto = 4,

    /// <summary>
    /// In addition to Basic, two events per HTTP request of an ASP.NET Core server, which show the slow routes and the request that a
    /// worker thread runs. Part of <see cref="Auto"/> once items have waited for some time.
    /// </summary>
    Requests = 8,

    /// <summary>
    /// In addition to Basic, memory readings, which do not pause the process: the queued items, what blocked threads wait for, and the
    /// limits. Two are taken at the start, more while items wait. Part of <see cref="Auto"/>.
    /// </summary>
    Inside = 16,
}

/// <summary>Properties that several depths share.</summary>
static class CaptureDepths
{
    /// <summary>Whether the depth needs a second EventPipe session from the start of the capture.</summary>
    public static bool HasSession(this CaptureDepth depth) =>
        (depth & (CaptureDepth.Items | CaptureDepth.Stacks | CaptureDepth.Requests)) != 0;
}
