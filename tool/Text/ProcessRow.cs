namespace Tpwatch.Text;

/// <summary>A .NET process as shown in a list.</summary>
/// <param name="Pid">Process id, as tpwatch sees it in its pid namespace.</param>
/// <param name="Name">Entry assembly, or the process name if the entry assembly is not known.</param>
/// <param name="Runtime">Version of the runtime; null if unknown.</param>
/// <param name="User">Owner of the process; null if unknown.</param>
/// <param name="CommandLine">The whole command line; null if unknown.</param>
/// <param name="WhyNot">Why tpwatch cannot attach to the process, one sentence; null if tpwatch can.</param>
sealed record ProcessRow(int Pid, string Name, string? Runtime, string? User, string? CommandLine, string? WhyNot = null)
{
    /// <summary>Name of the process on one line, with question marks in place of control characters.</summary>
    public string Name { get; init; } = UntrustedText.Line(Name);

    /// <summary>Command line on one line, with question marks in place of control characters; null if unknown.</summary>
    public string? CommandLine { get; init; } = CommandLine is null ? null : UntrustedText.Line(CommandLine);

    /// <summary>File name of the executable; null if unknown.</summary>
    public string? Executable { get; init => field = value is null ? null : UntrustedText.Line(value); }

    /// <summary>Container of the process; null if there is none, or if unknown.</summary>
    public string? Container { get; init; }

    /// <summary>Start time, clock ticks since boot; identifies the process together with the pid. Null if unknown.</summary>
    public ulong? StartTime { get; init; }

    /// <summary>Id of the runtime instance if the process connected to a port of tpwatch; null if a scan of the machine found it.</summary>
    public Guid? Run { get; init; }

    /// <summary>What the user can do so that tpwatch can attach; null if tpwatch can attach, or if nothing helps.</summary>
    public string? Hint { get; init; }

    /// <summary>Number of threads of the process; null if unknown.</summary>
    public int? Threads { get; init; }

    /// <summary>Processor time that the process has used, milliseconds; null if unknown.</summary>
    public double? ProcessorMs { get; init; }

    /// <summary>Time since the start of the process, milliseconds; null if unknown.</summary>
    public double? AgeMs { get; init; }

    /// <summary>Whether another row is about the same process.</summary>
    public bool IsSameAs(ProcessRow other) =>
        Pid == other.Pid && StartTime == other.StartTime && (StartTime is not null || Run == other.Run);

    /// <summary>Major version of the runtime; null if unknown.</summary>
    public int? RuntimeMajor =>
        int.TryParse(Runtime?.Split('.')[0], System.Globalization.CultureInfo.InvariantCulture, out var major) ? major : null;
}

/// <summary>Renders a list of processes as a table.</summary>
static class ProcessTableRenderer
{
    static readonly string[] Titles = ["pid", "name", "runtime", "user", "command line"];

    /// <summary>Index of the container column, which exists only if one of the processes is in a container.</summary>
    const int ContainerAt = 4;

    /// <summary>Returns the table: titles, then one line per process. Lines are cut at <paramref name="width"/> if not null.</summary>
    public static string Render(IReadOnlyList<ProcessRow> rows, bool showCommandLine, int? width)
    {
        var contained = rows.Any(r => r.Container is not null);
        return TextTable.Render(
            With("container", Titles, contained),
            [.. rows.OrderBy(r => r.Pid).Select(r => With(r.Container ?? "", Cells(r, showCommandLine), contained))], width);
    }

    static string[] With(string container, string[] cells, bool contained) =>
        contained ? [.. cells[..ContainerAt], container, .. cells[ContainerAt..]] : cells;

    static string[] Cells(ProcessRow row, bool showCommandLine) =>
    [
        row.Pid.ToString(CultureInfo.InvariantCulture), Words.OneLine(row.Name), row.Runtime ?? "?", row.User ?? "?",
        row.CommandLine is { } c ? Words.OneLine(showCommandLine ? c : Targets.TargetCommandLine.Shorten(c)) : "?",
    ];
}

/// <summary>Renders the verdicts of a short watch of many processes as a table, the worst first.</summary>
static class ProcessCheckRenderer
{
    /// <summary>Number of columns of the table if there is no terminal.</summary>
    public const int Width = 120;

    /// <summary>Maximum length of a name in characters; longer names are cut, so that verdict and cause stay visible.</summary>
    const int NameWidth = 32;

    static readonly string[] Titles = ["pid", "name", "verdict", "since", "cause"];

    /// <summary>Returns a title line, then one line per process; lines are cut at the width, by default <see cref="Width"/>.</summary>
    public static string Render(IReadOnlyList<ProcessCheckResult> rows, int? width) =>
        TextTable.Render(Titles, [.. ProcessCheckResult.WorstFirst(rows).Select(Cells)], width ?? Width);

    static string[] Cells(ProcessCheckResult row) =>
    [
        row.Row.Pid.ToString(CultureInfo.InvariantCulture), Cut(Words.OneLine(row.Row.Name)),
        row.Report is { } report ? VerdictWords.Of(report.Verdict) : "not seen",
        row.Report is { Since: { } since } seen ? Since(seen, since) : "",
        row.Report is null ? row.Says : Blocker(row.Report),
    ];

    static string Since(PoolReport report, EventTime since) => (ProblemOnset.IsSeen(report, since) ? "" : "before ")
        + TimeStyleExtensions.Second(report.Timeline, since) + (report.IsNow ? "" : ", ended");

    static string Blocker(PoolReport report) => report.Verdict switch
    {
        Verdict.Healthy => "",
        Verdict.Undecided => Words.OneLine(report.Lack is { } lack ? $"{lack}." : report.Headline),
        _ => Words.OneLine(CauseWords.Of(report)),
    };

    static string Cut(string name) => name.Length <= NameWidth ? name : name[..(NameWidth - 1)] + "…";
}

/// <summary>A process and the result of a short watch of this process.</summary>
/// <param name="Report">The report; null if the process could not be watched.</param>
/// <param name="Failure">Why the process could not be watched, one sentence; null if there is a report.</param>
sealed record ProcessCheckResult(ProcessRow Row, PoolReport? Report, string? Failure)
{
    /// <summary>Sorts rows: the worst verdict first, processes without a report last.</summary>
    public static IEnumerable<ProcessCheckResult> WorstFirst(IEnumerable<ProcessCheckResult> rows) =>
        rows.OrderBy(r => Place(r.Report)).ThenBy(r => r.Row.Pid);

    /// <summary>The headline of the report, or why the process could not be watched.</summary>
    public string Says => Words.OneLine(Report?.Headline ?? Failure ?? "");

    static int Place(PoolReport? report) => report switch
    {
        null => 9,
        { IsNow: true } when report.Verdict.IsStarvation() => 0,
        _ when report.Verdict.IsStarvation() => 1,
        { Verdict: Verdict.Saturated } => 2,
        { Verdict: Verdict.Undecided } => 3,
        { Verdict: Verdict.NotThePool } => 4,
        { Verdict: Verdict.Compensated } => 5,
        _ => 6,
    };
}
