namespace Tpwatch.Core;

/// <summary>The exit codes of tpwatch. Scripts rely on the numbers, so they do not change.</summary>
public enum ExitCode
{
    /// <summary>Success; with <c>--fail-on</c>, none of its conditions was met.</summary>
    Done = 0,

    /// <summary>The target was not found, or no session with the target could be started.</summary>
    NoSession = 1,

    /// <summary>The event stream broke while the target was still running, or a file is damaged.</summary>
    Broken = 2,

    /// <summary>Invalid arguments, an input file that does not exist, or an output that cannot be written.</summary>
    Arguments = 3,

    /// <summary>Platform or runtime not supported.</summary>
    Unsupported = 4,

    /// <summary>At least one condition of <c>--fail-on</c> was met.</summary>
    Matched = 10,

    /// <summary><c>--fail-on</c> was given, and the capture is not sufficient to decide its conditions.</summary>
    Unanswered = 12,

    /// <summary>An internal error of tpwatch.</summary>
    Bug = 70,
}
