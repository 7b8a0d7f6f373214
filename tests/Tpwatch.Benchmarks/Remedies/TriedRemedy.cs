using System.Globalization;
using System.Text.RegularExpressions;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Runs;
using Tpwatch.Scoring.Truths;
using Tpwatch.WhatIf;

namespace Tpwatch.Benchmarks.Remedies;

/// <summary>
/// A program as it is and once more with the min that its report advises, or with one that it does not advise; what became of the waits is
/// what the program's own record says.
/// </summary>
sealed partial record TriedRemedy(Trial Trial, RunPlan Plan, PoolReport Report, RunTruth Before, RunTruth After, int Tried, bool Advised)
{
    /// <summary>Where one number is given, so far off it may be; bounds may be passed by as much.</summary>
    const double Within = 0.10;

    /// <summary>A difference below this is none, milliseconds.</summary>
    const double NothingMs = 50;

    public static async Task<TriedRemedy> OfAsync(Trial trial, RunPlan plan, (FixtureCopy, string) place, CancellationToken cancel)
    {
        // At the depth that a report has by itself: what blocks decides whether a min is advised at all.
        var before = await AttachedRun.OfAsync(plan, place, cancel, CaptureDepth.Auto);
        var advised = Min(before.Run.Report);
        var tried = advised ?? trial.Use;
        var again = plan with { LateMs = null, Words = [.. WithMax(plan.Words, tried), "--min", Word(tried)] };
        var after = await AttachedRun.OfAsync(again, place, cancel);
        return new(trial, plan, before.Run.Report, before.Run.Truth, after.Run.Truth, tried, advised is not null);
    }

    public double LongestBeforeMs => Longest(Before);

    public double LongestAfterMs => Longest(After);

    public bool Helped => LongestAfterMs <= MetLate.Helps * LongestBeforeMs;

    /// <summary>Advised with a word of doubt: no stacks came before the end, so that a lock could not be told.</summary>
    public bool Doubted => Advised && Report.Findings.SelectMany(finding => finding.Remedies).Any(remedy => remedy.IsDoubtedMin);

    /// <summary>Advised without a word of doubt, and nothing came of it.</summary>
    public bool IsUseless => Advised && !Helped && !Doubted;

    /// <summary>
    /// The mean time from queued to ended with that min as it was imagined from the first run; null where there is no answer.
    /// </summary>
    public WhatIfAnswer? Simulated =>
        Plan.LateMs is null && WhatIfStudy.Of(Report, new EstimatedItems(),
            out _)?.Answer(new() { Min = Tried }) is { Unknown: null } answer
            ? answer
            : null;

    /// <summary>The mean time from queued to ended in the second run, milliseconds; one that did not end had taken until the end.</summary>
    public double LatencyMs => After.Items.Average(item => After.Ms(item.Enqueued, item.Ended ?? After.End.At));

    /// <summary>Whether what really came lies within what was imagined; true where nothing was.</summary>
    public bool IsWithin
    {
        get
        {
            if (Simulated is not { Simulated.LatencyMs: { } better } answer)
                return true;
            var worse = answer.Worst?.LatencyMs ?? better;
            return LatencyMs >= better * (1 - Within) - NothingMs && LatencyMs <= worse * (1 + Within) + NothingMs;
        }
    }

    static double Longest(RunTruth truth) => truth.Items.Max(item => truth.Ms(item.Enqueued, item.Ended ?? truth.End.At));

    // Max must allow as many, the remedy says.
    static IEnumerable<string> WithMax(IReadOnlyList<string> words, int min) => words.Select(
        (word, i) => i > 0 && words[i - 1] == "--max" && int.Parse(word, CultureInfo.InvariantCulture) < min ? Word(min) : word);

    static string Word(int number) => number.ToString(CultureInfo.InvariantCulture);

    // As whoever reads the report would: the first setting that says a number.
    static int? Min(PoolReport report) => report.Findings.SelectMany(finding => finding.Remedies)
        .Select(remedy => MinSetting.Match(remedy.Setting ?? "")).FirstOrDefault(match => match.Success) is { } found
        ? int.Parse(found.Groups["min"].Value, CultureInfo.InvariantCulture)
        : null;

    [GeneratedRegex(@"ThreadPool\.MinThreads"": (?<min>\d+)")]
    static partial Regex MinSetting { get; }
}
