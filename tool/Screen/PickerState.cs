using Tpwatch.Targets;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>The result of the short check of a process: a report, or why there is none.</summary>
sealed record PickerLook(PoolReport? Report, string? WhyNot);

/// <summary>State of the process picker: the machine's processes and the user's input; immutable, each change makes a new state.</summary>
sealed record PickerState
{
    /// <summary>The processes of the last scan, by pid; null during the first scan.</summary>
    public ImmutableArray<ProcessRow>? Rows { get; init; }

    /// <summary>The processes of the scan before the last one, for the processor use between the two scans.</summary>
    public ImmutableArray<ProcessRow> Before { get; init; } = [];

    /// <summary>Words to filter the rows by; a shown row contains every word.</summary>
    public string Filter { get; init; } = "";

    /// <summary>Pid of the process under the cursor; null means the first process that tpwatch can attach to.</summary>
    public int? Pid { get; init; }

    /// <summary>Why the last scan failed, one sentence; null if the scan did not fail.</summary>
    public string? Failure { get; init; }

    /// <summary>Whether a scan is in progress.</summary>
    public bool Scanning { get; init; }

    /// <summary>The result of the short check of each process, by pid; null while the check is in progress.</summary>
    public ImmutableDictionary<int, PickerLook?> Looks { get; init; } = ImmutableDictionary<int, PickerLook?>.Empty;

    /// <summary>The rows that match the filter.</summary>
    public ImmutableArray<ProcessRow> Shown
    {
        get
        {
            var words = Filter.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            return [.. (Rows ?? []).Where(r => words.All(w => Texts(r).Any(t => t.Contains(w, StringComparison.OrdinalIgnoreCase))))];
        }
    }

    /// <summary>Index of the row under the cursor among the shown rows; -1 without rows.</summary>
    public static int CursorIn(ImmutableArray<ProcessRow> shown, int? pid)
    {
        for (var i = 0; i < shown.Length; i++)
        {
            if (shown[i].Pid == pid)
            {
                return i;
            }
        }

        var first = shown.FirstOrDefault(r => r.WhyNot is null);
        return first is not null ? shown.IndexOf(first) : shown.Length - 1;
    }

    /// <summary>Share of one processor that a process used between the last two scans; null when not known.</summary>
    public double? ProcessorUse(ProcessRow row) =>
        Before.FirstOrDefault(b => b.Pid == row.Pid) is { } before && row.AgeMs - before.AgeMs is > 0 and var elapsed
        && row.ProcessorMs - before.ProcessorMs is >= 0 and var used
            ? used / elapsed
            : null;

    /// <summary>The verdict on a process, in one or two words; empty if the process was not checked.</summary>
    public string VerdictOf(ProcessRow row) => row.WhyNot is not null ? "-"
        : !Looks.TryGetValue(row.Pid, out var look) ? "" : look is null ? "checking" : look.Report is { } report
            ? VerdictWords.Of(report.Verdict) : "not known";

    /// <summary>Whether the verdict on a process needs the user's attention.</summary>
    public bool IsTrouble(ProcessRow row) => Looks.TryGetValue(row.Pid, out var look) && look?.Report?.Verdict.IsTrouble() == true;

    /// <summary>The result of the check of a process, one sentence; null without a result.</summary>
    public string? SaidOf(ProcessRow row) => !Looks.TryGetValue(row.Pid, out var look) || look is null ? null
        : look.Report?.Headline ?? look.WhyNot;

    /// <summary>The command line of a process, shortened and without values that may be secret; the name if there is none.</summary>
    public static string Command(ProcessRow row) =>
        row.CommandLine is { Length: > 0 } line ? Words.OneLine(CommandLine.Shorten(line)) : row.Name;

    static IEnumerable<string> Texts(ProcessRow row) =>
        [row.Pid.ToString(CultureInfo.InvariantCulture), row.Name, row.Runtime ?? "", row.User ?? "", Command(row)];
}
