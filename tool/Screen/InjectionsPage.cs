using Terminal.Gui.ViewBase;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>
/// The view of the injections: a table of injection delays and adjustments, and details of the row under the cursor. The details are a
/// drawing to scale and a text with the reason. The drawing shows gate checks and the times at which the rules allow an injection.
/// </summary>
sealed class InjectionsPage : Page
{
    const int DrawingColumns = 60;

    /// <summary>Minimum number of rows of the table: the heading and three events.</summary>
    const int LeastTable = 4;

    /// <summary>Number of rows that the table leaves for the details of one row, if the screen is high enough.</summary>
    const int FullDetail = 12;

    /// <summary>Minimum number of rows of the text below the drawing.</summary>
    const int LeastWhy = 3;

    readonly DrawingView summary;
    readonly RowTable<InjectionDelay> table;
    readonly DrawingView drawing;
    readonly TextPane why;

    public InjectionsPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        summary = Line((scene, width) => TextFit.Fit(InjectionsText.Summary(scene, DelayRows.Of(scene).Length), width));
        table = new(looks, () => model.Scene is { } scene ? InjectionsTable.Columns(scene) : []);
        drawing = Drawing((pane, scene) =>
        {
            if (DelayRows.Under(scene) is { } delay)
            {
                DelayDetail.Draw(pane, delay);
            }
        });
        why = new(looks);
        table.Chosen += delay => model.Choose(scene => Navigation.Show(scene, model.Columns, delay));
        table.Opened += _ => model.Do(UiAction.OnTimeline);
        table.Resorted += () =>
        {
            if (model.State.Selected is null && table.First is { } first)
            {
                model.Choose(scene => Navigation.Show(scene, model.Columns, first));
            }
        };
        Add(summary, table, drawing, why);
    }

    public override ViewName Name => ViewName.Injections;
    public override string TabName => "Injections";
    public override string Brief => "Inj";
    public override View? Rows => Model.State.Detail ? null : table;
    public override View Scrolled => why;

    public override string Count(Scene scene) => InjectionCountText.Count(scene.Report);

    public override void Sort() => table.SortByNext("delay ms", "queue");

    public override void Take(Scene scene)
    {
        var rows = DelayRows.Of(scene);
        var delay = DelayRows.Under(scene);
        var (width, room) = (Viewport.Width, Viewport.Height - 1);
        var wide = width >= WideScreen && !scene.State.Detail;
        var list = delay is null || scene.State.Detail ? 0
            : wide ? room
            : Math.Max(LeastTable, Math.Min(rows.Length + 1, Math.Max(room - FullDetail, room / 3)));
        var (x, y) = wide ? (width - DrawingColumns, 1) : (0, 1 + list);
        var below = wide ? room : room - list;
        var drawn = delay is null ? 0 : DelayDetail.Rows(delay, below - LeastWhy);
        Place(summary, 0, 0, width, 1);
        Place(table, 0, 1, wide ? width - DrawingColumns - 1 : width, list);
        Place(drawing, x, y, width - x, drawn);
        Place(why, x, y + drawn, width - x, below - drawn);
        Layout();
        table.Fill(rows, delay);
        why.Fill(delay?.Number, columns => delay is not null ? DelayDetail.Lines(scene, delay, columns)
            : TextFit.Wrap(InjectionsText.Nothing(scene), columns, 3).Select(l => new TextLine(l)).Prepend(new("")));
        summary.SetNeedsDraw();
        drawing.SetNeedsDraw();
    }
}

/// <summary>The line above the table of events, and the text that replaces an empty table.</summary>
static class InjectionsText
{
    /// <summary>Returns the text that replaces an empty table: why there is no row.</summary>
    public static string Nothing(Scene scene) => scene.Events.IsEmpty
        ? "No event yet: the pool has not changed its target thread count since the capture began."
        : "No row matches. esc shows all rows.";

    /// <summary>Returns the parts of the line above the table: number of rows by reason and by verdict, and the active filters.</summary>
    public static IEnumerable<string> Summary(Scene scene, int shown)
    {
        var events = scene.Events;
        var reasons = DelayMark.Reasons.Select(r => (r.Mark.Letter, Count: events.Count(g => g.Reason == r.Reason)))
            .Where(r => r.Count > 0);
        var counts = string.Join(' ', reasons.Select(r => $"{r.Letter}{Format.Brief(r.Count)}"));
        yield return $"{Format.Plural(events.Length, "row")}  {counts}".TrimEnd();
        var list = scene.State.List;
        var narrowed = string.Join(
            " /", new[] { list.Verdicts == DelayVerdictFilter.All ? "" : list.VerdictWord, list.Filter }.Where(w => w.Length > 0));
        yield return list.IsNarrowed ? $"showing {Format.Brief(shown)}: {(list.Verdicts == DelayVerdictFilter.All ? "/" : "")}{narrowed}"
            : "";
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"as expected {Of(events, DelayVerdict.AsExpected)}  early {Of(events, DelayVerdict.Early)}  "
                + $"late {Of(events, DelayVerdict.Late)}  unexplained {Of(events, DelayVerdict.NoRule)}");
        yield return scene.Report.Evicted > 0 ? $"{Format.Brief(scene.Report.Evicted)} older discarded" : "";
    }

    static int Of(IEnumerable<InjectionDelay> events, DelayVerdict verdict) => events.Count(g => g.Verdict == verdict);
}

/// <summary>The columns of the table of events (injection delays and adjustments), one row per event.</summary>
static class InjectionsTable
{
    public static string TargetThreads(InjectionDelay delay) => delay.TargetThreadsBefore is null && delay.TargetThreadsAfter is null ? ""
        : delay.TargetThreadsBefore == delay.TargetThreadsAfter ? LatestValueTexts.Count(delay.TargetThreadsAfter)
        : $"{LatestValueTexts.Count(delay.TargetThreadsBefore)}->{LatestValueTexts.Count(delay.TargetThreadsAfter)}";

    public static Role LookOf(InjectionDelay delay) =>
        delay.Verdict is DelayVerdict.Early or DelayVerdict.Late or DelayVerdict.NoRule ? Role.Starvation
        : delay.Verdict == DelayVerdict.NoData ? Role.Lost : Role.Text;

    public static IEnumerable<TableColumn<InjectionDelay>> Columns(Scene scene) =>
    [
        new("#", 4, 10, g => Format.Brief(g.Number)) { Right = true, Rank = g => g.Number },
        new("time", 8, 9, g => scene.Time(g.End)) { Right = true, Rank = g => g.End.MsSince(scene.Timeline.Start) },
        new("reason", 14, 8, g => $"{DelayMark.Of(g).Letter} {DelayMark.Of(g).Name}") { Role = g => DelayMark.Of(g).Role },
        new("target", 6, 5, TargetThreads) { Right = true, Rank = g => g.TargetThreadsAfter ?? double.NaN },
        new("delay ms", 8, 7, g => g.ObservedMs is { } ms ? Format.Count((long)Math.Round(ms)) : Unknown(g))
        {
            Right = true, Rank = g => g.ObservedMs ?? double.NaN,
        },
        new("allowed [hit] ms", 16, 0, Allowed),
        new("judgment", 11, 6, DelayWords.Of) { Role = LookOf },
        new("queue", 5, 4, g => g.QueueLength is { } queue ? Format.Brief(queue) : Unknown(g))
        {
            Right = true, Rank = g => g.QueueLength ?? double.NaN,
        },
        new("cpu", 4, 3, g => g.Cpu is { } cpu && double.IsFinite(cpu) ? Format.Percent(cpu) : Unknown(g))
        {
            Right = true, Rank = g => g.Cpu ?? double.NaN,
        },
        new("rule", 4, 2, g => Words.CodeOrNothing(g.Mechanism)),
        new("", 15, -1, g => DelayWords.Rule(g.Mechanism)),
    ];

    // Returns the text of a missing value: empty for an adjustment that ended no delay and so has no such value, else "?".
    static string Unknown(InjectionDelay delay) => delay.Verdict == DelayVerdict.NotTimed ? "" : "?";

    // Lists the delays, in milliseconds, at which the rule allows an injection; brackets mark those that match the observed delay.
    static string Allowed(InjectionDelay delay)
    {
        var windows = delay.Windows.Select(w => (Text: FormattableString.Invariant($"{(w.MinMs + w.MaxMs) / 2:0}"),
            Hit: delay.ObservedMs is { } ms && ms >= w.MinMs && ms <= w.MaxMs)).ToList();
        return string.Join(' ', windows.Select(w => w.Hit ? $"[{w.Text}]" : w.Text));
    }
}

/// <summary>The details of one injection delay or adjustment: a title, a drawing to scale, and a text.</summary>
static class DelayDetail
{
    /// <summary>Draws the title and the delay to scale, as far as there is room.</summary>
    public static void Draw(Pane pane, InjectionDelay delay)
    {
        TextBlock.Title(pane.Rows(0, 1), Heading(delay, pane.Width - 4));
        DelayDrawing.Draw(pane.Rows(1, pane.Height - 1), delay);
    }

    /// <summary>Number of rows that <see cref="Draw"/> fills if <paramref name="room"/> rows are free.</summary>
    public static int Rows(InjectionDelay delay, int room) => 1 + DelayDrawing.Rows(delay, room - 1);

    /// <summary>Returns the text: the reason, each gate check, and how the start and the end of the delay are known.</summary>
    public static IEnumerable<TextLine> Lines(Scene scene, InjectionDelay delay, int width)
    {
        var checks = DelayText.Ticks(delay).SelectMany(t =>
            TextFit.Wrap(t, width - 2, int.MaxValue).Select((l, i) => i == 0 && !t.StartsWith('>') ? "  " + l : i == 0 ? l : "    " + l));
        return TextFit.Wrap(delay.Because, width, int.MaxValue).Select(line => new TextLine(line))
            .Concat(checks.Concat(TextFit.Wrap(Known(scene, delay), width, int.MaxValue)).Select(line => new TextLine(line, Role.Faint)));
    }

    // Returns the title. If it is too long, it keeps the rule's code, which the user can look up, and drops the rule's name.
    static string Heading(InjectionDelay delay, int room)
    {
        var (code, name) = (Words.CodeOrNothing(delay.Mechanism), DelayWords.Rule(delay.Mechanism));
        var whole = Heading(delay, $"{code} {name}".Trim());
        return whole.Length <= room ? whole : Heading(delay, code);
    }

    static string Heading(InjectionDelay delay, string rule) => string.Join("  ", new[]
    {
        FormattableString.Invariant($"#{delay.Number}"),
        $"{DelayMark.Of(delay).Letter} {DelayMark.Of(delay).Name}",
        InjectionsTable.TargetThreads(delay) is { Length: > 0 } targetThreads ? $"target {targetThreads}" : "",
        DelayWords.Of(delay),
        rule,
    }.Where(part => part.Length > 0));

    static string Known(Scene scene, InjectionDelay delay)
    {
        var (at, open) = (Format.Utc(scene.Timeline.UtcOf(delay.End)), delay.Verdict == DelayVerdict.Open);
        var queue = delay.QueueLength is { } queueLength
            ? $"At the last counter sample before that, {Format.Plural(queueLength, "item")} waited"
            : "The queue length is not known";
        var cpu = delay.Cpu is { } share
            && double.IsFinite(share) ? $"cpu was {Format.Percent(share)} during the delay" : "cpu is not known";
        return $"The delay {(open ? "was not over at" : "ended at")} {at}. {queue}; {cpu}. The start of the delay is "
            + $"{Known(delay.StartBasis)}{(open ? "" : $", its end {Known(delay.EndBasis)}")}.";
    }

    static string Known(Basis basis) => basis switch
    {
        Basis.Observed => "known from an event",
        Basis.Inferred => "inferred",
        _ => "not known",
    };
}

/// <summary>
/// Draws an injection delay to scale, from the last progress to the end of the delay, with the values that each gate check read. The last
/// row shows, on the same scale, the times at which the rule allows an injection.
/// </summary>
sealed class DelayDrawing(Pane pane, InjectionDelay delay, EventTime start)
{
    const int LeftGutter = 13;
    const int RightGutter = 11;

    /// <summary>Minimum number of rows of the drawing; with fewer rows, nothing is drawn.</summary>
    const int Fewest = 2;

    readonly double observedMs = delay.End.MsSince(start);
    readonly double wholeMs = DelayScale.WholeMs(delay, delay.End.MsSince(start));
    readonly Pane plot = pane.Columns(LeftGutter, pane.Width - LeftGutter - RightGutter);
    int y;

    /// <summary>Draws the most important rows that fit; their order from top to bottom is always the same.</summary>
    public static void Draw(Pane pane, InjectionDelay delay)
    {
        if (IsDrawn(delay) && pane.Height >= Fewest && pane.Width > LeftGutter + RightGutter)
        {
            new DelayDrawing(pane, delay, delay.Start!.Value).Draw();
        }
    }

    /// <summary>Number of rows that the drawing takes if <paramref name="room"/> rows are free.</summary>
    public static int Rows(InjectionDelay delay, int room) => !IsDrawn(delay) || room < Fewest ? 0
        : Math.Min(room, Keeps(delay).Count(keep => keep > 0));

    static bool IsDrawn(InjectionDelay delay) => delay.Start is { } start && delay.End > start;

    // Returns the priorities of the rows, from top to bottom; 0 means that the row has nothing to show.
    static int[] Keeps(InjectionDelay delay) =>
    [
        1, 9, delay.Ticks.IsEmpty ? 0 : 8, delay.Ticks.IsEmpty ? 0 : 7, delay.Ticks.All(t => t.Cpu is null) ? 0 : 2,
        delay.Ticks.IsEmpty ? 0 : 5, delay.Windows.IsEmpty ? 0 : 6,
    ];

    void Draw()
    {
        Action[] rows =
        [
            Ends,
            Observed,
            Ticks,
            () => CheckTexts("no dequeue", t => t.SinceDequeueMs is { } ms ? Format.Ms(ms) : "?"),
            () => CheckTexts("cpu", t => t.Cpu is { } cpu && double.IsFinite(cpu) ? Format.Percent(cpu) : "?"),
            () => CheckTexts("adds one", t => t.Fired ? "YES" : t.Sure ? "no" : "no?"),
            Allowed,
        ];
        var keeps = Keeps(delay);
        foreach (var row in Enumerable.Range(0, rows.Length).Where(r => keeps[r] > 0).OrderByDescending(r => keeps[r])
            .Take(pane.Height).Order().ToList())
        {
            rows[row]();
            y++;
        }
    }

    void Ends()
    {
        pane.Put(LeftGutter, y, "last progress", Role.Faint);
        var end = delay switch
        {
            { Verdict: DelayVerdict.Open } => "now",
            { Reason: not null } => delay.TargetThreadsAfter < delay.TargetThreadsBefore ? "target lowered" : "target raised",
            _ => "taken",
        };
        var x = Math.Max(X(observedMs) + 1, "last progress ".Length + end.Length + 1);
        plot.PutEndingAt(x, y, end, Role.Faint);
    }

    void Observed()
    {
        Name("observed", Role.Title);
        for (var x = 0; x <= X(observedMs); x++)
        {
            plot.Put(x, y, plot.Glyphs.Rule, Role.Threads);
        }

        plot.Put(0, y, '|', Role.Threads);
        plot.Put(X(observedMs), y, delay.Verdict == DelayVerdict.Open ? '>' : '|', Role.Threads);
        pane.Put(LeftGutter + plot.Width + 1, y, Format.Ms(observedMs), Role.Title);
    }

    void Ticks()
    {
        Name("gate checks");
        for (var x = 0; x <= X(observedMs); x++)
        {
            plot.Put(x, y, plot.Glyphs.Calm, Role.Faint);
        }

        foreach (var check in delay.Ticks)
        {
            plot.Put(X(check.At.MsSince(start)), y, 'G', check.Fired ? Role.Starvation : Role.Title);
        }

        pane.Put(LeftGutter + plot.Width + 1, y, Format.Plural(delay.Ticks.Length, "check"), Role.Faint);
    }

    // Writes a text per gate check, the newest first, because the newest check matters most. A text is left out if it would touch another.
    void CheckTexts(string name, Func<GateCheck, string> text)
    {
        Name(name);
        var free = new Free(plot.Width);
        foreach (var check in delay.Ticks.Reverse())
        {
            var words = text(check);
            var x = Math.Clamp(X(check.At.MsSince(start)) - words.Length / 2, 0, Math.Max(0, plot.Width - words.Length));
            if (free.Take(x, words.Length))
            {
                plot.Put(x, y, words, check.Fired ? Role.Starvation : Role.Text);
            }
        }
    }

    void Allowed()
    {
        Name("allowed");
        var free = new Free(plot.Width);
        foreach (var window in delay.Windows.Where(w => w.MinMs <= wholeMs))
        {
            var (from, to) = (X(window.MinMs), X(Math.Min(window.MaxMs, wholeMs)));
            var hit = observedMs >= window.MinMs && observedMs <= window.MaxMs;
            for (var x = from; x <= to; x++)
            {
                plot.Put(x, y, '^', hit ? Role.Starvation : Role.Title);
            }

            var label = FormattableString.Invariant($"{window.MinMs:0}..{window.MaxMs:0}");
            var at = to + 1 + label.Length <= plot.Width ? to + 1 : from - label.Length;
            if (free.Take(Math.Min(from, at), label.Length + to - from + 1))
            {
                plot.Put(at, y, label, Role.Faint);
            }
        }

        var word = delay.Verdict == DelayVerdict.Open
            ? "ahead, ms"
            : delay.Windows.Any(w => observedMs >= w.MinMs && observedMs <= w.MaxMs) ? "ms: hit"
            : "ms: missed";
        pane.Put(LeftGutter + plot.Width + 1, y, word, word == "ms: missed" ? Role.Starvation : Role.Faint);
    }

    void Name(string name, Role role = Role.Text) => pane.Put(1, y, name, role);

    int X(double ms) => (int)Math.Round(Math.Clamp(ms / wholeMs, 0, 1) * (plot.Width - 1));

    /// <summary>Remembers which cells of a row are free; two labels keep a blank between them.</summary>
    sealed class Free(int width)
    {
        readonly bool[] taken = new bool[width];

        public bool Take(int x, int length)
        {
            var (from, to) = (Math.Max(0, x - 1), Math.Min(width, x + length + 1));
            if (x < 0 || taken.AsSpan(from, Math.Max(0, to - from)).Contains(true))
            {
                return false;
            }

            taken.AsSpan(x, Math.Max(0, Math.Min(length, width - x))).Fill(true);
            return true;
        }
    }
}

/// <summary>An injection delay or adjustment as text: its facts in one line, and one line per gate check.</summary>
static class DelayText
{
    /// <summary>Maximum number of allowed windows (times at which the rule allows an injection) in the line of facts.</summary>
    const int MostWindows = 3;

    /// <summary>Width of a line, in columns, above which each allowed window is written with both ends.</summary>
    const int WideText = 90;

    /// <summary>Maximum length of an allowed window, milliseconds, for which a narrow line shows only the middle.</summary>
    const double NarrowMs = 20;

    /// <summary>Returns the facts of the event that fit on one line.</summary>
    public static string Facts(InjectionDelay delay, Scene scene, int width) =>
        TextFit.Fit(Facts(delay, DelayMark.Of(delay), scene, wide: width > WideText), width);

    /// <summary>Returns the gate checks, one line each, oldest first.</summary>
    public static IEnumerable<string> Ticks(InjectionDelay delay) => delay.Ticks.Select((check, i) =>
    {
        var at = delay.Start is { } start ? Format.Ms(check.At.MsSince(start)) : "?";
        var sure = check.Sure ? "" : " (not certain)";
        return FormattableString.Invariant($"{(check.Fired ? '>' : ' ')} check {i + 1} at {at}: {check.Why}{sure}");
    });

    static IEnumerable<string> Facts(InjectionDelay delay, DelayMark mark, Scene scene, bool wide) =>
    [
        $"{mark.Letter} {mark.Name}",
        delay.TargetThreadsBefore is null && delay.TargetThreadsAfter is null
            ? ""
            : $"target {LatestValueTexts.Count(delay.TargetThreadsBefore)}->{LatestValueTexts.Count(delay.TargetThreadsAfter)}",
        delay.ObservedMs is { } ms ? $"delay {Format.Ms(ms)}" : delay.Verdict == DelayVerdict.NotTimed ? "" : "delay ?",
        $"{DelayWords.Of(delay)} {Words.CodeOrNothing(delay.Mechanism)}".TrimEnd(),
        Allowed(delay, wide),
        scene.AtTime(delay.End),
    ];

    static string Allowed(InjectionDelay delay, bool wide) => delay.Windows.IsEmpty ? ""
        : $"allowed {string.Join(", ", delay.Windows.Take(MostWindows).Select(w => Window(w, wide)))}"
            + $"{(delay.Windows.Length > MostWindows ? " .." : "")} ms";

    // The allowed window of a gate check is a few milliseconds long, so on a narrow line the middle of the window is enough.
    static string Window(DelayWindow window, bool wide)
    {
        if (!wide && window.MaxMs - window.MinMs <= NarrowMs)
        {
            return FormattableString.Invariant($"{(window.MinMs + window.MaxMs) / 2:0}");
        }

        var (min, max) = (Math.Round(window.MinMs), Math.Round(window.MaxMs));
        return min == max ? FormattableString.Invariant($"{min:0}") : FormattableString.Invariant($"{min:0}..{max:0}");
    }
}
