using System.Collections.Immutable;
using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Screen;

/// <summary>A question that somebody has who has only the help.</summary>
/// <param name="Asked">The question.</param>
/// <param name="Keys">The keys that answer it, three at most; none where the answer is on the screen already.</param>
/// <param name="Where">Where the answer stands.</param>
/// <param name="Answer">What is read there, on the recording.</param>
sealed record Question(string Asked, string[] Keys, string Where, string Answer)
{
    /// <summary>Seconds into the recording; null is its end.</summary>
    public double? At { get; init; }

    /// <summary>The recording that it is asked of.</summary>
    public string Recording { get; init; } = "pool-burst";
}

/// <summary>The questions of the documentation. Rows for what comes later are added here.</summary>
static class Questions
{
    public static ImmutableArray<Question> All { get; } =
    [
        new("Is it the pool?", [], "line 3", "STARVED"),
        new("Is it over?", [], "line 3, behind the verdict", " s ago"),
        new("When did it start, and how long did it last?", ["z"], "last line; the stretch fills the lanes", "Items waited from 00:02."),
        new("What should I do, with which setting?", ["6"], "`Do`, with the exact values", "DOTNET_ThreadPool_ForceMinWorkerThreads="),
        new("How sure is that?", ["6"], "column `sure`, and `Sure` below", "high: the finding follows from what was seen"),
        new("Which gap was the longest?", ["2", "c"], "first row, with `>`", "delay v"),
        new("Why was it longer than the others?", ["2", "c"],
            "the drawing below: each gate check, what it read, and why it did not add one", "added no thread"),
        new("When does the pool add the next thread?", [], "right of the lane `inject`, while items wait", "+1 in") { At = 10 },
        new("When will an item start that is queued now?", ["4"], "`Now`", "n item queued now starts in") { At = 10 },
        new("Was the processor the bottleneck?", [], "lane `cpu %`, with the newest value at its right", "0% now"),
        new("Does hill climbing make it worse?", ["5"], "the list of its moves, each with what it means", "None in this capture."),
        new("Which method blocks the worker threads?", ["3"], "first row, with `--depth stacks` or `t`",
            "LockConvoy.Run") { Recording = "Deep/lock-convoy" },
        new("Who holds the lock that they wait for?", ["3"], "below the stack", "held by thread") { Recording = "Deep/lock-convoy" },
        new("How long did items wait?", ["4"], "percentiles, with `--depth items` or `t`", "p99") { Recording = "Deep/lock-convoy" },
        new("What if MinThreads were 50?", ["w", "2"], "`Effect`, and the imagined curve in the lanes", "what if MinThreads 50"),
        new("What does this mark mean?", [], "the line below the lane `inject`; `?` has all", "S pool added a thread (starvation)"),
    ];

    /// <summary>What the screen knows when a question is asked.</summary>
    public static async Task<PoolReport> ReportAsync(Question question) => question.At is { } seconds
        ? (await RecordedMoments.ReadAsync(TestRecordings.File(question.Recording), [seconds]))[0]
        : await TestRecordings.ReplayAsync(TestRecordings.File(question.Recording));
}
