using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Prints what is new in a report: each decision once, a long wait once while it lasts, each finding once a severity.</summary>
sealed class LiveLines(ILineRenderer lines, TextWriter output)
{
    /// <summary>A wait of more than four gate periods is worth a line before it ends.</summary>
    const double LongOpenMs = 2000;

    readonly HashSet<(string Id, Severity Severity)> findings = [];
    PoolReport? last;
    int lastNumber;
    int lastOpen;
    Verdict? state;
    EventTime over;

    /// <summary>Decisions that came faster than the journal could be read, and so have no line.</summary>
    public long Missed { get; private set; }

    /// <summary>Prints what is new.</summary>
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
            // What else stands in a snapshot in the middle depends on when somebody looked; a replay prints the same lines each time.
            return;
        }

        PrintOpen(report);
        PrintState(report);
        PrintFindings(report);
    }

    /// <summary>A new session, after Ctrl+Z and fg, numbers its gaps from the beginning.</summary>
    void BeginAnew(PoolReport report)
    {
        if (last is { Journal.Length: > 0 } before && before.Timeline.Start != report.Timeline.Start)
        {
            (lastNumber, lastOpen, state, over) = (0, 0, null, default);
            findings.Clear();
        }
    }

    /// <summary>Prints the end of it all.</summary>
    public void PrintSummary(PoolReport report) => Line(lines.Summary(report));

    void PrintDecisions(PoolReport report)
    {
        if (report.Journal.Length > 0 && report.Journal[0].Number is var first && first > lastNumber + 1)
        {
            Missed += first - lastNumber - 1;
        }

        foreach (var gap in report.Journal.Where(g => g.Number > lastNumber))
        {
            Line(lines.Decision(gap, report));
        }

        lastNumber = report.Journal.Length > 0 ? Math.Max(lastNumber, report.Journal.Max(g => g.Number)) : lastNumber;
    }

    void PrintOpen(PoolReport report)
    {
        if (report.Gaps is [.., { Verdict: GapVerdict.Open } open] && open.Number > Math.Max(lastNumber, lastOpen) && IsWorthALine(open))
        {
            lastOpen = open.Number;
            Line(lines.Decision(open, report));
        }
    }

    // One that gets no line now, since another says more, may get it later.
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

    // What the counters prove is there at once, and no adjustment will ever tell of it.
    static bool IsWorthALine(Gap open) =>
        open.Mechanism is Mechanism.G3Silent or Mechanism.G8Ceiling
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
