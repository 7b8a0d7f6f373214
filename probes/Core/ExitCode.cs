namespace Tpwatch.Core;

/// <summary>The process exit codes; a contract with scripts.</summary>
public enum ExitCode
{
    /// <summary>Success; with <c>--fail-on</c>, none of its conditions was met.</summary>
    Done = 0,

    /// <summary>No session could be started.</summary>
    NoSession = 1,

    /// <summary>The event stream broke while the target was still running, or a file is damaged.</summary>
    Broken = 2,

    /// <summary>Invalid arguments, an input file that does not exist, or an output that cannot be written.</summary>
    Arguments = 3,

    /// <summary>Platform or runtime not supported.</summary>
    Unsupported = 4,

    /// <summary><c>--fail-on</c> matched.</summary>
    Matched = 10,

    /// <summary><c>--fail-on</c> was given, and the capture is not sufficient to decide its conditions.</summary>
    Unanswered = 12,

    /// <summary>An internal error of tpwatch.</summary>
    Bug = 70,
}
