using System.Text;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>
/// Why an assertion failed: what was asked, the judgement, what was found and what to do, the longest waits, what it rests on.
/// </summary>
static class FailureText
{
    /// <summary>Waits that are told: enough to see the pattern.</summary>
    const int ToldWaits = 3;

    public static string Of(PoolReport report, string what)
    {
        var text = new StringBuilder(what).Append('\n');
        void Line(string line) => text.Append('\n').Append(line);
        Line(report.Headline);
        foreach (var finding in report.Findings.OrderByDescending(f => f.Severity))
        {
            Line($"{finding.Id} {finding.Severity.ToString().ToLowerInvariant()}: {finding.Title}");
            Line($"  {finding.Headline}");
            foreach (var evidence in finding.Evidence)
            {
                var value = evidence.Value is { } known ? evidence.Joint + Told(known, evidence.Unit) : "";
                Line($"  - {evidence.Text}{value}");
            }

            foreach (var remedy in finding.Remedies)
            {
                Line($"  > {RemedyText.Of(remedy)}");
            }
        }

        Waits(report, Line);
        Line(Basis(report));
        return text.ToString();
    }

    static string Told(double value, string? unit) => unit switch
    {
        "ms" => Format.Duration(value),
        "workers" => Format.Plural((long)Math.Round(value), "worker thread"),
        "gaps" => Format.Plural((long)Math.Round(value), "injection delay"),
        _ => $"{value.ToString("0.###", CultureInfo.InvariantCulture)} {unit}".TrimEnd(),
    };

    static void Waits(PoolReport report, Action<string> line)
    {
        var waits = report.Gaps.Where(g => g.IsWait && g.ObservedMs is not null).ToList();
        line($"{Format.Plural(waits.Count, "wait")} for a worker thread{(waits.Count > ToldWaits ? ", the longest ones" : "")}:");
        foreach (var gap in waits.OrderByDescending(g => g.ObservedMs).Take(ToldWaits).OrderBy(g => g.Number))
        {
            var before = gap.GoalBefore?.ToString(CultureInfo.InvariantCulture) ?? "?";
            var goal = gap.GoalAfter is { } after ? $", target {before}->{after.ToString(CultureInfo.InvariantCulture)}" : "";
            var rule = gap.Mechanism == Mechanism.None ? "" : FormattableString.Invariant($", G{(int)gap.Mechanism}");
            var until = Format.Elapsed(gap.End.MsSince(report.Timeline.Start));
            line($"  waited {Format.Ms(gap.ObservedMs!.Value)} until {until} s{goal}{rule}: {gap.Because}");
        }
    }

    static string Basis(PoolReport report)
    {
        var quality = report.Timeline.Quality;
        var lost = quality.LossUnknown ? "an unknown number lost" : $"{Format.Count(quality.Lost)} lost";
        return $"Seen in {Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start))} of {report.Timeline.Target.Name}: "
            + $"{Format.Plural(quality.Events, "event")}, {lost}; "
            + $"largest number of worker threads {(report.MaxWorkers is { } workers ? Format.Count(workers) : "?")}, "
            + $"largest queue length {(report.MaxBacklog is { } backlog ? Format.Count(backlog) : "?")}.";
    }
}
