namespace Tpwatch.Run;

/// <summary>One exit code for what was seen of several processes.</summary>
static class WorstCode
{
    /// <summary>
    /// The worst first. What <c>--fail-on</c> asked for and one process shows is not undone by another that could not be looked at.
    /// </summary>
    static readonly int[] FromWorst =
    [
        (int)ExitCode.Bug, (int)ExitCode.Arguments, (int)ExitCode.Unsupported, (int)ExitCode.Matched, (int)ExitCode.NoSession,
        (int)ExitCode.Broken, (int)ExitCode.Unanswered, (int)ExitCode.Done,
    ];

    public static int Of(IReadOnlyCollection<int> codes) => FromWorst.First(codes.Contains);
}
