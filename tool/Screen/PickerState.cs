using Tpwatch.Targets;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>What a short look at a process found, or why it found nothing.</summary>
sealed record PickerLook(PoolReport? Report, string? WhyNot);

/// <summary>What is known of the processes of the machine and what was typed; immutable, every key makes a new one.</summary>
sealed record PickerState
{
    /// <summary>The processes of the last scan, by pid; null while the first one goes on.</summary>
    public ImmutableArray<ProcessRow>? Rows { get; init; }

    /// <summary>Those of the scan before: what a process computed in between is its use of processors.</summary>
    public ImmutableArray<ProcessRow> Before { get; init; } = [];

    /// <summary>Words that must all be found in a row.</summary>
    public string Filter { get; init; } = "";

    /// <summary>The process under the cursor; null is the first that can be attached to.</summary>
    public int? Pid { get; init; }

    /// <summary>Why the last scan failed, one sentence.</summary>
    public string? Failure { get; init; }

    /// <summary>Whether a scan goes on.</summary>
    public bool Scanning { get; init; }

    /// <summary>What a short look at each process found, by its pid; null while the look goes on.</summary>
    public ImmutableDictionary<int, PickerLook?> Looks { get; init; } = ImmutableDictionary<int, PickerLook?>.Empty;

    /// <summary>The rows that the filter leaves.</summary>
    public ImmutableArray<ProcessRow> Shown
    {
        get
        {
            var words = Filter.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            return [.. (Rows ?? []).Where(r => words.All(w => Texts(r).Any(t => t.Contains(w, StringComparison.OrdinalIgnoreCase))))];
        }
    }

    /// <summary>Index of the row under the cursor among those that are shown; -1 for none.</summary>
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

    /// <summary>Share of one processor that a process used between the last two scans; null when that is not known.</summary>
    public double? ProcessorUse(ProcessRow row) =>
        Before.FirstOrDefault(b => b.Pid == row.Pid) is { } before && row.AgeMs - before.AgeMs is > 0 and var elapsed
        && row.ProcessorMs - before.ProcessorMs is >= 0 and var used
            ? used / elapsed
            : null;

    /// <summary>What a look at a process found, in a word or two.</summary>
    public string VerdictOf(ProcessRow row) => row.WhyNot is not null ? "-"
        : !Looks.TryGetValue(row.Pid, out var look) ? "" : look is null ? "checking" : look.Report is { } report
            ? VerdictWords.Of(report.Verdict) : "not known";

    /// <summary>Whether that asks for something.</summary>
    public bool IsTrouble(ProcessRow row) => Looks.TryGetValue(row.Pid, out var look) && look?.Report?.Verdict.IsTrouble() == true;

    /// <summary>The look in a sentence; null where there is none.</summary>
    public string? SaidOf(ProcessRow row) => !Looks.TryGetValue(row.Pid, out var look) || look is null ? null
        : look.Report?.Headline ?? look.WhyNot;

    /// <summary>The command without what may be secret.</summary>
    public static string Command(ProcessRow row) =>
        row.CommandLine is { Length: > 0 } line ? Words.OneLine(CommandLine.Shorten(line)) : row.Name;

    static IEnumerable<string> Texts(ProcessRow row) =>
        [row.Pid.ToString(CultureInfo.InvariantCulture), row.Name, row.Runtime ?? "", row.User ?? "", Command(row)];
}
