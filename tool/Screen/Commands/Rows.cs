using Tpwatch.Text;

namespace Tpwatch.Screen.Commands;

/// <summary>A row of the table of blocked code: one place in the code that holds worker threads, or all places of one kind.</summary>
/// <param name="Place">Calls from <see cref="Frame"/> to the blocking call; for a kind, the number of places and the largest one.</param>
/// <param name="Share">Share of the samples of busy worker threads, 0 to 1.</param>
/// <param name="Threads">Number of worker threads seen at this place.</param>
/// <param name="Kind">What the worker threads waited for.</param>
/// <param name="Stack">The stack to show, innermost frame first.</param>
sealed record BlockerRow(string Place, double Share, int Threads, BlockKind Kind, ImmutableArray<string> Stack)
{
    /// <summary>The frame of <see cref="Stack"/> to mark; empty for none.</summary>
    public string Frame { get; init; } = "";

    /// <summary>Whether the marked frame is a nameless delegate that serves a known route.</summary>
    public bool IsEndpoint { get; init; }

    /// <summary>Further facts, one sentence each: the blocking call, the lock owner, the worker threads here in each stack burst.</summary>
    public ImmutableArray<string> Notes { get; init; } = [];

    // Each scene builds its rows anew, so lists compare by reference and are left out.
    public bool Equals(BlockerRow? other) =>
        other is not null && (Place, Kind, Share, Threads, Frame) == (other.Place, other.Kind, other.Share, other.Threads, other.Frame);

    public override int GetHashCode() => HashCode.Combine(Place, Kind, Frame);

    /// <summary>Returns the rows of a scene, largest share first.</summary>
    public static ImmutableArray<BlockerRow> Of(Scene scene)
    {
        var rows = Shown(scene.Report).Select(b => new BlockerRow(b.Chain, b.Share, b.Threads, b.Kind, b.Stack)
        {
            Frame = b.Frame,
            IsEndpoint = b is { IsNameless: true, LeftNoFrame: false, Route: not null },
            Notes =
            [
                .. BlockingPlaceWords.Notes(b, scene.Report.Bursts?.WaitsFor),
                .. OverTime(b) is { } told ? [told] : Array.Empty<string>(),
            ],
        });
        return [.. (scene.State.Show.ByKind ? rows.GroupBy(r => r.Kind).Select(Together) : rows).OrderByDescending(r => r.Share)];
    }

    /// <summary>Returns the places with a share of 0.5 % or more, and always the first place.</summary>
    public static IEnumerable<Blocker> Shown(PoolReport report) =>
        (report.Blockers ?? []).Where((blocker, index) => index == 0 || blocker.Share >= Nothing);

    /// <summary>Minimum share of a shown place; a smaller share rounds to 0 % and stands for one or two samples.</summary>
    const double Nothing = 0.005;

    /// <summary>Returns the row under the cursor; null without rows.</summary>
    public static BlockerRow? Under(Scene scene) =>
        Of(scene) is var rows && Math.Min(scene.State.Show.Row, rows.Length - 1) is >= 0 and var at ? rows[at] : null;

    /// <summary>Whether a frame belongs to the framework or the runtime; such a frame never counts as the blocker.</summary>
    public static bool IsFramework(string frame) =>
        frame.StartsWith("System.", StringComparison.Ordinal) || frame.StartsWith("Microsoft.", StringComparison.Ordinal)
        || frame.StartsWith("Interop", StringComparison.Ordinal)
        || frame.Contains('!', StringComparison.Ordinal) && IsFramework(frame[(frame.IndexOf('!', StringComparison.Ordinal) + 1)..]);

    // Returns a note with the number of worker threads at this place in each stack burst; null with fewer than two bursts.
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

/// <summary>Selects the rows of tables of events (injection delays and adjustments), filtered as the user chose, newest first.</summary>
static class DelayRows
{
    public static ImmutableArray<InjectionDelay> Of(Scene scene) =>
    [
        .. scene.Events.Where(g => scene.State.List.Shows(g.Verdict) && Filter.Matches(scene.State.List.Filter, g))
            .OrderByDescending(g => g.Number),
    ];

    /// <summary>Returns the adjustments by hill climbing, newest first.</summary>
    public static ImmutableArray<InjectionDelay> Climbing(Scene scene) =>
        [.. scene.Events.Where(g => g.IsClimbing && !(scene.State.Show.MovesOnly && g.TargetThreadsBefore == g.TargetThreadsAfter))
            .Reverse()];

    /// <summary>Returns the selected event; the first row if the event has no row, null without rows.</summary>
    public static InjectionDelay? Under(Scene scene) =>
        Of(scene) is { IsEmpty: false } rows ? rows[Math.Max(0, IndexOf(rows, scene))] : null;

    /// <summary>Returns the index of the selected event; -1 if it has no row or there are no rows, 0 if no event is selected.</summary>
    public static int IndexOf(ImmutableArray<InjectionDelay> rows, Scene scene) =>
        rows.IsEmpty ? -1 : scene.State.Selected is { } number ? rows.ToList().FindIndex(g => g.Number == number) : 0;
}

/// <summary>A row of the table of findings: a finding of a rule, or a rule that could not be decided.</summary>
/// <param name="Found">The finding; null where the rule is undecided.</param>
/// <param name="Open">The undecided rule; null where there is a finding.</param>
sealed record FindingRow(string Id, Finding? Found, Undecided? Open)
{
    /// <summary>Returns the findings by severity, then the undecided rules. Of equal findings, that of the headline comes first.</summary>
    public static ImmutableArray<FindingRow> Of(Scene scene)
    {
        var (report, filter) = (scene.Report, scene.State.List.Filter);
        var leading = LeadingFinding.Of(report.Findings)?.Id;
        return
        [
            .. scene.Findings.Where(f => Filter.Matches(filter, f))
                .OrderByDescending(f => f.Severity).ThenByDescending(f => f.Id == leading)
                .Select(f => new FindingRow(f.Id, f, null)),
            .. report.Undecided.Where(u => Filter.Matches(filter, u)).Select(u => new FindingRow(u.Id, null, u)),
        ];
    }

    /// <summary>Returns the chosen row; the first row if the chosen row no longer exists, null without rows.</summary>
    public static FindingRow? Under(Scene scene)
    {
        var rows = Of(scene);
        return rows.FirstOrDefault(r => r.Id == scene.State.Rule) ?? rows.FirstOrDefault();
    }
}

/// <summary>
/// Matches rows against the words typed after <c>/</c>; a row must match every word. A word is <c>S</c> or <c>reason:S</c>,
/// <c>verdict:late</c>, <c>rule:G2</c>, <c>delay&gt;900</c>, <c>queue&lt;5</c>, <c>cpu&gt;80</c>, or a part of any text of the row. An
/// exclamation mark before a word inverts the match.
/// </summary>
static class Filter
{
    public static bool Matches(string filter, InjectionDelay delay) => Terms(filter).All(t => Term(t, word => One(word, delay)));

    public static bool Matches(string filter, Finding finding) =>
        Terms(filter).All(t => Term(t, word => Has($"{finding.Id} {finding.Severity} {finding.Title} {finding.Headline}", word)));

    public static bool Matches(string filter, Undecided undecided) =>
        Terms(filter).All(t => Term(t, word => Has($"{undecided.Id} undecided {undecided.Missing}", word)));

    static string[] Terms(string filter) => filter.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    static bool Term(string term, Func<string, bool> matches) =>
        term is ['!', .. var rest] ? rest.Length == 0 || !matches(rest) : matches(term);

    static bool One(string word, InjectionDelay delay)
    {
        var mark = DelayMark.Of(delay);
        if (Compare(word, delay) is { } compared)
        {
            return compared;
        }

        var colon = word.IndexOf(':', StringComparison.Ordinal);
        var (field, value) = colon < 0 ? ("", word) : (word[..colon].ToUpperInvariant(), word[(colon + 1)..]);
        var letter = value.Length == 1 && value[0] == mark.Letter;
        return field switch
        {
            "REASON" => value.Length == 1 ? letter : Has(mark.Name, value),
            "VERDICT" => Has($"{DelayWords.Of(delay)} {Words.Of(delay.Verdict)}", value),
            "RULE" => value.Equals(Words.CodeOrNothing(delay.Mechanism), StringComparison.OrdinalIgnoreCase)
                || Has(DelayWords.Rule(delay.Mechanism), value),
            _ => word.Length == 1 && char.IsAsciiLetterUpper(word[0])
                ? letter
                : Has($"#{delay.Number} {mark.Name} {DelayWords.Of(delay)} {Words.Of(delay.Verdict)} "
                    + $"{Words.CodeOrNothing(delay.Mechanism)} {DelayWords.Rule(delay.Mechanism)} {delay.Because}", word),
        };
    }

    // Returns null where the word is not a comparison. An unknown value is neither above nor below any limit.
    static bool? Compare(string word, InjectionDelay delay)
    {
        var at = word.IndexOfAny(['<', '>']);
        if (at <= 0 || !double.TryParse(word[(at + 1)..].TrimEnd('m', 's', '%'), CultureInfo.InvariantCulture, out var limit))
        {
            return null;
        }

        (bool Known, double? Value) field = word[..at].ToUpperInvariant() switch
        {
            "GAP" or "DELAY" => (true, delay.ObservedMs),
            "QUEUE" => (true, delay.QueueLength),
            "GOAL" or "TARGET" => (true, delay.TargetThreadsAfter),
            "CPU" => (true, delay.Cpu * 100),
            _ => (false, null),
        };
        return field.Known ? field.Value is { } value && (word[at] == '>' ? value > limit : value < limit) : null;
    }

    static bool Has(string text, string word) => text.Contains(word, StringComparison.OrdinalIgnoreCase);
}
