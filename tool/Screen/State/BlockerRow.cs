namespace Tpwatch.Screen.State;

/// <summary>A row of the table of blocked code: one place in the code that holds worker threads, or all places of one kind.</summary>
/// <param name="Place">Calls from the frame to the blocking call; for a kind, the number of places and the largest one.</param>
/// <param name="Share">Share of the samples of busy worker threads, 0 to 1.</param>
/// <param name="Threads">Number of worker threads seen at this place.</param>
/// <param name="Kind">What the worker threads waited for.</param>
/// <param name="Stack">The stack to show, innermost frame first.</param>
sealed record BlockerRow(string Place, double Share, int Threads, BlockKind Kind, ImmutableArray<string> Stack)
{
    /// <summary>The frame to mark in the stack.</summary>
    public string Frame { get; init; } = "";

    /// <summary>Whether the marked frame is a nameless delegate that serves a known route.</summary>
    public bool IsEndpoint { get; init; }

    /// <summary>Further facts, one sentence each: the blocking call, the lock owner, the worker threads here in each stack burst.</summary>
    public ImmutableArray<string> Notes { get; init; } = [];

    /// <summary>Returns the rows of a scene, largest share first.</summary>
    public static ImmutableArray<BlockerRow> Of(Scene scene)
    {
        var rows = Shown(scene.Report).Select(b => new BlockerRow(b.Chain, b.Share, b.Threads, b.Kind, b.Stack)
        {
            Frame = b.Frame,
            IsEndpoint = b is { IsNameless: true, LeftNoFrame: false, Route: not null },
            Notes = [.. CulpritWords.Notes(b, scene.Report.Bursts?.WaitsFor), .. OverTime(b) is { } told ? [told] : Array.Empty<string>()],
        });
        return [.. (scene.State.Show.ByKind ? rows.GroupBy(r => r.Kind).Select(Together) : rows).OrderByDescending(r => r.Share)];
    }

    /// <summary>Returns the places with a share of 0.5 % or more, and always the first place.</summary>
    public static IEnumerable<Blocker> Shown(PoolReport report) =>
        (report.Blockers ?? []).Where((blocker, index) => index == 0 || blocker.Share >= Nothing);

    /// <summary>Minimum share of a shown place; a smaller share rounds to 0 % and stands for one or two samples.</summary>
    const double Nothing = 0.005;

    /// <summary>Index of the chosen row; -1 without rows.</summary>
    public static int Cursor(ImmutableArray<BlockerRow> rows, Scene scene) => Math.Min(scene.State.Show.Row, rows.Length - 1);

    /// <summary>Whether a frame belongs to the framework or the runtime; such a frame never counts as the blocker.</summary>
    public static bool IsFramework(string frame) =>
        frame.StartsWith("System.", StringComparison.Ordinal) || frame.StartsWith("Microsoft.", StringComparison.Ordinal)
        || frame.StartsWith("Interop", StringComparison.Ordinal)
        || frame.Contains('!', StringComparison.Ordinal) && IsFramework(frame[(frame.IndexOf('!', StringComparison.Ordinal) + 1)..]);

    // The place is a method, and the thread that holds the lock is often in the same method.
    static string? OverTime(Blocker blocker)
    {
        string[] seen = [.. blocker.OverTime.TakeLast(Bursts).Select(p => Format.Brief(p.Threads))];
        return blocker.OverTime.Length < 2 ? null
            : $"Worker threads here{(HoldsIt(blocker) ? " (the lock holder included)" : "")}, in each burst of samples: "
                + $"{string.Join(", then ", seen.Distinct().Skip(1).Any() ? seen : seen[..1])}.";
    }

    static bool HoldsIt(Blocker blocker) => blocker.OwnerDoes is { } does && does.Method == blocker.Brief;

    /// <summary>Maximum number of stack bursts listed in a note; the note lists the newest ones.</summary>
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
