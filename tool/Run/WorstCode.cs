namespace Tpwatch.Run;

/// <summary>Combines the exit codes of several processes into one.</summary>
static class WorstCode
{
    /// <summary>
    /// All exit codes, the worst first. A condition of <c>--fail-on</c> met by one process outranks another process that was not watched.
    /// </summary>
    static readonly int[] FromWorst =
    [
        (int)ExitCode.Bug, (int)ExitCode.Arguments, (int)ExitCode.Unsupported, (int)ExitCode.Matched, (int)ExitCode.NoSession,
        (int)ExitCode.Broken, (int)ExitCode.Unanswered, (int)ExitCode.Done,
    ];

    public static int Of(IReadOnlyCollection<int> codes) => FromWorst.First(codes.Contains);
}
