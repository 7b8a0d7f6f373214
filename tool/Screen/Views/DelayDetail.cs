using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

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
        foreach (var line in TextFit.Wrap(delay.Because, width, int.MaxValue))
        {
            yield return new(line);
        }

        foreach (var line in DelayText.Ticks(delay).SelectMany(t =>
            TextFit.Wrap(t, width - 2, int.MaxValue).Select((l, i) => i == 0 && !t.StartsWith('>') ? "  " + l : i == 0 ? l : "    " + l)))
        {
            yield return new(line, Role.Faint);
        }

        foreach (var line in TextFit.Wrap(Known(scene, delay), width, int.MaxValue))
        {
            yield return new(line, Role.Faint);
        }
    }

    // With little room the title keeps the rule's code, which the user can look up, and drops the rule's name.
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
        DelayTable.TargetThreads(delay) is { Length: > 0 } targetThreads ? $"target {targetThreads}" : "",
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
/// row shows, on the same scale, the moments that the rule allows.
/// </summary>
sealed class DelayDrawing
{
    const int LeftGutter = 13;
    const int RightGutter = 11;

    /// <summary>Minimum number of rows; with fewer rows, nothing is drawn.</summary>
    const int Fewest = 2;

    readonly Pane pane;
    readonly InjectionDelay delay;
    readonly EventTime start;
    readonly double observedMs;
    readonly double wholeMs;
    readonly Pane plot;
    int y;

    DelayDrawing(Pane pane, InjectionDelay delay, EventTime start)
    {
        (this.pane, this.delay, this.start) = (pane, delay, start);
        observedMs = delay.End.MsSince(start);
        wholeMs = DelayScale.WholeMs(delay, observedMs);
        plot = pane.Columns(LeftGutter, pane.Width - LeftGutter - RightGutter);
    }

    /// <summary>Draws the most important rows that fit, in their usual order.</summary>
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

    // The newest checks get their texts first, because the newest checks decide. A text that would touch another text is left out.
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

    /// <summary>The free cells of a row; two labels keep a blank between them.</summary>
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
