using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Prints the news of a report: each adjustment once, a long open injection delay once, each finding once per severity.</summary>
sealed class LiveLines(ILineRenderer lines, TextWriter output)
{
    /// <summary>Length in milliseconds (four gate check intervals) above which an open injection delay gets a line.</summary>
    const double LongOpenMs = 2000;

    readonly HashSet<(string Id, Severity Severity)> findings = [];
    PoolReport? last;
    int lastNumber;
    int lastOpen;
    Verdict? state;
    EventTime over;

    /// <summary>Number of adjustments without a line, because they came faster than the journal was read.</summary>
    public long Missed { get; private set; }

    /// <summary>Prints what is new since the last report.</summary>
    public void Print(PoolReport report)
    {
        if (ReferenceEquals(report, last))
        {
            return;
        }

        BeginAnew(report);
        last = report;
        PrintDecisions(report);
        if (report is { Timeline.Source: SessionSource.Recording, End: SessionEnd.StillOpen })
        {
            // The rest of an intermediate report depends on the time of the report, but a replay must print the same lines each time.
            return;
        }

        PrintOpen(report);
        PrintState(report);
        PrintFindings(report);
    }

    /// <summary>Resets the state for a new session (after Ctrl+Z and fg), which numbers its injection delays from 1 again.</summary>
    void BeginAnew(PoolReport report)
    {
        if (last is { Journal.Length: > 0 } before && before.Timeline.Start != report.Timeline.Start)
        {
            (lastNumber, lastOpen, state, over) = (0, 0, null, default);
            findings.Clear();
        }
    }

    /// <summary>Prints the summary at the end.</summary>
    public void PrintSummary(PoolReport report) => Line(lines.Summary(report));

    void PrintDecisions(PoolReport report)
    {
        if (report.Journal.Length > 0 && report.Journal[0].Number is var first && first > lastNumber + 1)
        {
            Missed += first - lastNumber - 1;
        }

        foreach (var delay in report.Journal.Where(g => g.Number > lastNumber))
        {
            Line(lines.Decision(delay, report));
        }

        lastNumber = report.Journal.Length > 0 ? Math.Max(lastNumber, report.Journal.Max(g => g.Number)) : lastNumber;
    }

    void PrintOpen(PoolReport report)
    {
        if (report.InjectionDelays is [.., { Verdict: DelayVerdict.Open } open] && open.Number > Math.Max(lastNumber, lastOpen)
            && IsWorthALine(open))
        {
            lastOpen = open.Number;
            Line(lines.Decision(open, report));
        }
    }

    // A finding that gets no line now, because another finding says more, may get a line from a later report.
    void PrintFindings(PoolReport report)
    {
        foreach (var finding in report.Findings.Where(f => !findings.Contains((f.Id, f.Severity))))
        {
            if (lines.Finding(finding, report) is { } line)
            {
                findings.Add((finding.Id, finding.Severity));
                Line(line);
            }
        }
    }

    void PrintState(PoolReport report)
    {
        if (report.Timeline.Source == SessionSource.Recording)
        {
            foreach (var episode in report.Episodes)
            {
                Line(lines.State(episode with { Over = false }, report));
                Line(episode.Over ? lines.State(episode, report) : null);
            }

            return;
        }

        if (report.Episodes is not [.., var newest] || (newest.Over ? newest.Span.To <= over : newest.Kind == state))
        {
            return;
        }

        Line(newest.Kind == state ? null : lines.State(newest with { Over = false }, report));
        Line(newest.Over ? lines.State(newest, report) : null);
        state = newest.Over ? null : newest.Kind;
        over = newest.Over ? newest.Span.To : over;
    }

    // Counter samples prove injection delays of these mechanisms at once, and no adjustment ever reports such a delay.
    static bool IsWorthALine(InjectionDelay open) =>
        open.Mechanism is Mechanism.G3Undetected or Mechanism.G8Ceiling
            or Mechanism.G9DetectorOff or Mechanism.G12NotRunning or Mechanism.G14Wedged
            || open.ObservedMs > LongOpenMs;

    void Line(string? line)
    {
        if (line is null)
        {
            return;
        }

        output.Write(line + "\n");
        output.Flush();
    }
}
