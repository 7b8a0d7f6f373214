using Tpwatch.Diagnosis;
using Tpwatch.Text;

namespace Tpwatch.Screen.State;

/// <summary>A place that holds workers, or a kind of places, as a row.</summary>
/// <param name="Place">From the frame to the call, or how many places there are of the kind.</param>
/// <param name="Share">Of the samples at work, 0 to 1.</param>
/// <param name="Threads">Workers seen.</param>
/// <param name="Kind">What they waited for.</param>
/// <param name="Stack">The stack to show, innermost frame first.</param>
sealed record BlockerRow(string Place, double Share, int Threads, BlockKind Kind, ImmutableArray<string> Stack)
{
    /// <summary>The frame that is marked in the stack.</summary>
    public string Frame { get; init; } = "";

    /// <summary>Whether that frame is a delegate without a name that serves a known route.</summary>
    public bool IsEndpoint { get; init; }

    /// <summary>
    /// What else is known of it, a sentence each: the call, the owner of a lock, how many workers were here in each burst.
    /// </summary>
    public ImmutableArray<string> Notes { get; init; } = [];

    /// <summary>The largest share first.</summary>
    public static ImmutableArray<BlockerRow> Of(Scene scene)
    {
        var rows = Shown(scene.Report).Select(b => new BlockerRow(b.Chain, b.Share, b.Threads, b.Kind, b.Stack)
        {
            Frame = b.Frame,
            IsEndpoint = b is { IsNameless: true, LeftNoFrame: false, Route: not null },
            Notes = [.. NotesOf(b, scene.Report.Bursts?.WaitsFor)],
        });
        return [.. (scene.State.Show.ByKind ? rows.GroupBy(r => r.Kind).Select(Together) : rows).OrderByDescending(r => r.Share)];
    }

    /// <summary>Places that held threads for a share worth telling; the first one always.</summary>
    public static IEnumerable<Blocker> Shown(PoolReport report) =>
        (report.Blockers ?? []).Where((blocker, index) => index == 0 || blocker.Share >= Nothing);

    /// <summary>A thread that was met there once or twice: in per cent nothing.</summary>
    const double Nothing = 0.005;

    /// <summary>Index of the chosen row, -1 when there are none.</summary>
    public static int Cursor(ImmutableArray<BlockerRow> rows, Scene scene) => Math.Min(scene.State.Show.Row, rows.Length - 1);

    /// <summary>Frames of the framework and the runtime, which hold nobody by themselves.</summary>
    public static bool IsFramework(string frame) =>
        frame.StartsWith("System.", StringComparison.Ordinal) || frame.StartsWith("Microsoft.", StringComparison.Ordinal)
        || frame.StartsWith("Interop", StringComparison.Ordinal)
        || frame.Contains('!', StringComparison.Ordinal) && IsFramework(frame[(frame.IndexOf('!', StringComparison.Ordinal) + 1)..]);

    static IEnumerable<string> NotesOf(Blocker blocker, WaitsFor? all)
    {
        if (blocker.Call is { } call)
        {
            yield return $"The call that blocks: {call}.";
        }

        if (KnownResource.Of(blocker, all) is { SaysMore: true } resource)
        {
            yield return $"The threads wait for {resource.Name}.";
        }

        if (DeepEvidence.OtherWaits(blocker) is { } others)
        {
            yield return $"{others}.";
        }

        if (blocker.Owner is { } owner)
        {
            yield return $"The lock is held by {owner}.";
        }
        else if (blocker.PastLock is { } past)
        {
            yield return $"{DeepEvidence.ProbableHolder(past)}.";
        }

        if (blocker.LeftNoFrame)
        {
            yield return Phrases.NoFrame(blocker);
        }

        if (blocker.OverTime.Length > 1)
        {
            string[] seen = [.. blocker.OverTime.TakeLast(Bursts).Select(p => Format.Brief(p.Threads))];
            // The place is a method, and who holds its lock is often in it, too.
            yield return $"Worker threads here{(HoldsIt(blocker) ? " (the lock holder included)" : "")}, in each burst of samples: "
                + $"{string.Join(", then ", seen.Distinct().Skip(1).Any() ? seen : seen[..1])}.";
        }
    }

    static bool HoldsIt(Blocker blocker) => blocker.OwnerDoes is { } does && does.Split(" > ")[0] == blocker.Brief;

    /// <summary>Bursts that are told; the newest.</summary>
    const int Bursts = 20;

    static BlockerRow Together(IGrouping<BlockKind, BlockerRow> same)
    {
        var most = same.MaxBy(r => r.Share)!;
        return same.Count() == 1 ? most : most with
        {
            Place = $"{Format.Plural(same.Count(), "place")}, mainly {most.Place}",
            Share = same.Sum(r => r.Share),
            Threads = same.Sum(r => r.Threads),
        };
    }
}
