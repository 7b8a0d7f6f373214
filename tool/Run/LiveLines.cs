using Tpwatch.Screen.Commands;
using Tpwatch.Text;
using Tpwatch.Watch;

namespace Tpwatch.Run;

/// <summary>Prints what is new in a report: adjustments, long injection delays that are not over, episodes, and findings.</summary>
sealed class LiveLines(ILineRenderer lines, TextWriter output)
{
    /// <summary>Minimum length, in milliseconds, of an injection delay that is printed although it is not over.</summary>
    const double LongOpenMs = 2000;

    readonly HashSet<(string Id, Severity Severity)> findings = [];
    PoolReport? last;
    int lastNumber;
    int lastOpen;
    Verdict? state;
    EventTime over;

    /// <summary>Number of adjustments that were not printed, because they left the report's journal between two reports.</summary>
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
            // All other lines depend on the time at which the report is made, but a replay must print the same lines each time.
            return;
        }

        PrintOpen(report);
        PrintState(report);
        PrintFindings(report);
    }

    /// <summary>Resets the state for a new session, as after Ctrl+Z and fg. A new session numbers delays from 1 again.</summary>
    void BeginAnew(PoolReport report)
    {
        if (last is { } before && before.Timeline.Start != report.Timeline.Start)
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

    // Prints new findings. The renderer returns null while another finding says more. Such a finding is tried again with the next report.
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

    // Whether to print a delay that is not over: it is already long, or no adjustment is expected to end it.
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

/// <summary>
/// On a terminal, shows on one line of standard error how much of a recording has been read. Appears only if reading takes long.
/// </summary>
sealed class ProgressBar(CommandContext context)
{
    /// <summary>Minimum reading time before a bar appears.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(500);

    /// <summary>Minimum time between two redraws of the bar.</summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(100);

    const int Cells = 30;

    readonly long begun = context.Time.GetTimestamp();
    long drawn;
    int length;

    /// <summary>Draws the bar if enough time has passed.</summary>
    /// <param name="share">Share of the recording that has been read, from 0 to 1; null if unknown.</param>
    public void Look(double? share)
    {
        var now = context.Time.GetTimestamp();
        if (share is not { } done || !context.Terminal.IsErrorSeen || context.Time.GetElapsedTime(begun, now) < Patience
            || (drawn != 0 && context.Time.GetElapsedTime(drawn, now) < Pace))
        {
            return;
        }

        drawn = now;
        var full = (int)(Math.Clamp(done, 0, 1) * Cells);
        Write(string.Create(
            CultureInfo.InvariantCulture, $"reading [{new string('#', full)}{new string('.', Cells - full)}] {Math.Floor(done * 100):0}%"));
    }

    /// <summary>Clears the line for the next output.</summary>
    public void End()
    {
        if (length > 0)
        {
            Write("");
        }
    }

    void Write(string text)
    {
        try
        {
            context.Error.Write("\r" + text.PadRight(length) + (text.Length == 0 ? "\r" : ""));
            context.Error.Flush();
            length = text.Length;
        }
        catch (IOException)
        {
            // Standard error is closed; the reading continues.
        }
    }
}

/// <summary>
/// Writes a note when a target stops sending data, then every 30 s, when the process stops or continues, and when data arrives again.
/// </summary>
sealed class SilenceNotes(CommandContext context)
{
    static readonly TimeSpan Again = TimeSpan.FromSeconds(30);

    TargetSilence? told;

    /// <summary>Writes a note if one is due. <paramref name="silence"/> is null while the target sends data.</summary>
    public void Look(TargetSilence? silence)
    {
        if (silence is null)
        {
            if (told is not null)
            {
                context.Note($"the process sends data again, after {Format.Duration(told.For.TotalMilliseconds)} or more");
            }

            told = null;
        }
        else if (told is null || told.Stopped != silence.Stopped || silence.For - told.For >= Again)
        {
            told = silence;
            context.Note(silence.ToString());
        }
    }
}

/// <summary>Writes notes about side effects on the target before tpwatch opens a session.</summary>
static class AttachNotes
{
    /// <summary>
    /// The last major version of .NET in which all tools share one counter interval; a lowered interval stays after tpwatch exits.
    /// </summary>
    public const int LastWithSharedInterval = 8;

    /// <summary>The last major version of .NET in which work item events always carry stacks.</summary>
    const int LastWithStacks = 8;

    public static void Tell(ProcessRow target, WatchOptions options, CommandContext context)
    {
        if (target.RuntimeMajor is <= LastWithSharedInterval && options.CounterSample is { } counterSample)
        {
            context.Note(
                $"on .NET {target.RuntimeMajor} all tools share one counter interval: others get samples at least every "
                + $"{Format.Duration(counterSample.TotalMilliseconds)}, even after tpwatch exits",
                "with --heartbeat off tpwatch does not change the interval, but knows neither the queue length nor undetected starvation");
        }

        if (target.RuntimeMajor is <= LastWithStacks && options.Depth.HasFlag(CaptureDepth.Items))
        {
            context.Note(
                $"on .NET {target.RuntimeMajor} work item events carry stacks: a saturated process keeps "
                    + $"{DepthPrice.ItemsWithStacksShare} of its throughput ({DepthPrice.ItemsShare} on newer versions)",
                "--depth stacks shows the blocking call, at less cost");
        }
    }
}
