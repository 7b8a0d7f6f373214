namespace Tpwatch.Reports;

/// <summary>What is switched on in the target, by what it costs there; see `--depth`.</summary>
[Flags]
public enum CaptureDepth
{
    /// <summary>The pool's own decisions and a heartbeat: a few dozen events a second.</summary>
    Basic = 0,

    /// <summary>And two events a work item: how long each waited and ran.</summary>
    Items = 1,

    /// <summary>
    /// And short bursts of stacks, two at the start and more while items wait, with the locks that threads wait for: who holds the workers.
    /// </summary>
    Stacks = 2,

    /// <summary>
    /// Basic until items have waited or hung for two seconds, then a burst of stacks, three at most; nothing of it in a healthy target.
    /// </summary>
    Auto = 4,

    /// <summary>
    /// And two events an HTTP request of an ASP.NET Core server: which routes are slow, and whose request a worker runs. Part of
    /// <see cref="Auto"/> once an episode lasts.
    /// </summary>
    Requests = 8,

    /// <summary>
    /// And readings of the process's own memory, two at the start and more while items wait: what waits in the queue, what blocked threads
    /// wait for, and the limits, without a pause. Part of <see cref="Auto"/>.
    /// </summary>
    Inside = 16,
}

/// <summary>What several depths have in common.</summary>
static class CaptureDepths
{
    /// <summary>Whether it takes a second session from the start.</summary>
    public static bool HasSession(this CaptureDepth depth) =>
        (depth & (CaptureDepth.Items | CaptureDepth.Stacks | CaptureDepth.Requests)) != 0;
}
