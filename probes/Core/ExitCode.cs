namespace Tpwatch.Core;

/// <summary>The process exit codes; a contract with scripts.</summary>
public enum ExitCode
{
    /// <summary>Done; with <c>--fail-on</c>, nothing of that found.</summary>
    Done = 0,

    /// <summary>No session could be started.</summary>
    NoSession = 1,

    /// <summary>The stream broke while the target lives, or a file is broken.</summary>
    Broken = 2,

    /// <summary>Arguments, files that are not there, outputs that cannot be written.</summary>
    Arguments = 3,

    /// <summary>Platform or runtime not supported.</summary>
    Unsupported = 4,

    /// <summary><c>--fail-on</c> matched.</summary>
    Matched = 10,

    /// <summary><c>--fail-on</c> was asked and the capture cannot answer it.</summary>
    Unanswered = 12,

    /// <summary>A bug of ours.</summary>
    Bug = 70,
}
