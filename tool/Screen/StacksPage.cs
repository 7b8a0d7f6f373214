using Terminal.Gui.ViewBase;
using Tpwatch.Diagnosis;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>
/// The view of the stacks: where worker threads wait, largest share of the stack samples first. If there are no stack samples, the view
/// says how to take them, what they cost, and what is already known.
/// </summary>
sealed class StacksPage : Page
{
    readonly DrawingView head;
    readonly RowTable<BlockerRow> table;
    readonly DrawingView title;
    readonly TextPane text;

    public StacksPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        head = Drawing((pane, scene) =>
            pane.Put(1, 0, TextFit.Whole(HasRows(scene) ? BlockerPanel.Head(scene) : StacksPlaceholder.Head(scene),
            pane.Width - 2), HasRows(scene) ? Role.Text : Role.Title));
        table = new(looks, () => BlockerPanel.Columns(looks().Look.Glyphs));
        title = TitleRow(scene => BlockerRow.Under(scene) is { } row ? $"stack: {row.Place}" : "");
        text = new(looks);
        table.Chosen += row => model.Choose(scene => scene.State with
        {
            Show = scene.State.Show with { Row = BlockerRow.Of(scene).IndexOf(row) },
        });
        Add(head, table, title, text);
    }

    public override ViewName Name => ViewName.Stacks;
    public override string TabName => "Stacks";
    public override View? Rows => Model.Scene is { } scene && HasRows(scene) ? table : null;
    public override View Scrolled => text;

    public override string Count(Scene scene) => HasRows(scene) ? Format.Brief(BlockerRow.Shown(scene.Report).Count()) : "";

    public override void Take(Scene scene)
    {
        var (width, room) = (Viewport.Width, Viewport.Height - 1);
        Place(head, 0, 0, width, 1);
        if (!HasRows(scene))
        {
            Place(table, 0, 1, width, 0);
            Place(title, 0, 1, width, 0);
            Place(text, 0, 2, width, room - 1);
            Layout();
            text.Fill(null, columns => InsideText.Lines(scene.Report, columns).Concat(StacksPlaceholder.Lines(scene, columns)));
        }
        else
        {
            var rows = BlockerRow.Of(scene);
            var list = RowsOf(rows.Length, room);
            Place(table, 0, 1, width, list);
            Place(title, 0, 1 + list, width, 1);
            Place(text, 0, 2 + list, width, room - list - 1);
            Layout();
            var row = BlockerRow.Under(scene)!;
            table.Fill(rows, row);
            text.Fill(row.Place, columns => InsideText.Lines(scene.Report, columns).Concat(BlockerPanel.Stack(row, scene, columns)));
        }

        head.SetNeedsDraw();
        title.SetNeedsDraw();
    }

    static bool HasRows(Scene scene) => scene.Report.Blockers is { IsDefaultOrEmpty: false };
}

/// <summary>The text about data read from the memory of the process: what threads wait for, and which items are queued.</summary>
static class InsideText
{
    const int Indent = 11;

    /// <summary>Maximum number of waits, and maximum number of kinds of queued items, that the text lists.</summary>
    const int Most = 5;

    /// <summary>Returns the text as lines, with an empty line last; no lines where the memory was not read.</summary>
    public static IEnumerable<TextLine> Lines(PoolReport report, int width)
    {
        var lines = Texts(report).SelectMany(t => TextBlock.Labelled(t.Label!, Words.OneLine(t.Text), Indent, width)).ToList();
        return lines.Count == 0 ? [] : lines.Append(new(""));
    }

    static IEnumerable<LabelledText> Texts(PoolReport report) => report.Inside is not { } reading ? [] :
    [
        .. LabelledText.Of("Waits for", reading.Waits.Take(Most).Select(w => InsideWords.Of(w, reading))),
        .. reading.Queue is { } queue && InsideWords.Kinds(queue, Most) is { } kinds ? LabelledText.Of("In queue", [kinds]) : [],
        .. LabelledText.Of("Not known", reading.Unknown.Select(InsideWords.Of)),
    ];
}

/// <summary>The text that replaces missing stacks: how to take stack samples, what stack samples cost, and what is already known.</summary>
static class StacksPlaceholder
{
    const int Indent = 11;

    public static IEnumerable<TextLine> Lines(Scene scene, int width) =>
        Texts(scene).SelectMany(t => TextBlock.Labelled(t.Label, t.Text, Indent, width).Append(new("")));

    static IEnumerable<(string Label, string Text)> Texts(Scene scene)
    {
        yield return ("Known", Known(scene.Report));
        foreach (var failed in scene.Report.Bursts?.Remarks ?? [])
        {
            yield return ("Tried", failed);
        }

        var live = scene.Timeline.Source == SessionSource.Live && scene.Report.End == SessionEnd.StillOpen;
        yield return live
            ? ("Now", "Press t to take stacks here. "
                + $"Or run dotnet tpwatch report {Hints.Who(scene.Report)}: that report takes stacks while items wait.")
            : ("Next time", $"Run dotnet tpwatch report {Hints.Who(scene.Report)}: that report takes stacks while items wait.");
        yield return ("Shows", "Which call blocks each worker thread while items wait, and whether the pool can detect the call. "
            + "The pool detects waits for tasks, but not locks, semaphores, sleeps or synchronous I/O.");
        yield return ("Costs", "Nothing pauses where tpwatch may read the memory of the process. "
            + $"Elsewhere the process pauses for about {DepthPrice.BurstMs} ms, at most once every 5 s."
            + (live ? " Press t again to stop." : ""));
    }

    public static string Head(Scene scene) => scene.State.Probing
        ?? (scene.Report.Blockers is null
            ? scene.Report.Inside is null ? "No stacks were taken."
                : "The memory of the process was read; it shows no stacks."
            : "Stacks were taken, but they show no blocked worker thread.");

    // Says what is known without stacks: the processor use during the delays shows whether threads computed, not which code ran.
    static string Known(PoolReport report)
    {
        var delays = report.InjectionDelays.Where(DelayMark.IsInjection).ToList();
        var cpu = delays.Select(g => g.Cpu).OfType<double>().Where(double.IsFinite).DefaultIfEmpty(double.NaN).Max();
        return delays.Count == 0 && report is { IsNow: true } && report.Verdict.IsStarvation()
                ? "Items wait or hang, and the pool added no thread. Which call blocks is not known."
            : delays.Count == 0 && report.Verdict.IsTrouble()
                ? "The pool added no thread. Which call blocked is not known: if items still wait, press t."
            : delays.Count == 0 ? "The pool added no thread, and no item waits for long, so stacks are not needed."
            : report.Verdict == Verdict.Saturated
                ? $"{Format.Plural(delays.Count, "thread injection")}. The worker threads compute, or are ready to run and find no free "
                    + "processor."
            : double.IsNaN(cpu) ? $"{Format.Plural(delays.Count, "thread injection")}; the processor use at that time is not known."
            : $"{Format.Plural(delays.Count, "thread injection")} while the process used at most {Format.Percent(cpu)} of the processors. "
                + (delays.All(g => HardlyComputed(report, g)) ? "The worker threads hardly computed: they were blocked."
                    : "Some of the worker threads computed.");
    }

    static bool HardlyComputed(PoolReport report, InjectionDelay delay) => delay.Cpu is not { } cpu || double.IsNaN(cpu)
        || CauseWords.HardlyCompute(cpu, report.Timeline.Target.Processors.Value, delay.TargetThreadsBefore ?? report.MaxWorkers);
}

/// <summary>The table of the places in the code that hold worker threads, and the stack of the row under the cursor.</summary>
static class BlockerPanel
{
    const int BarColumns = 16;

    const string Mark = "=> ";

    /// <summary>Text shown instead of the frame that ASP.NET Core generated for a route, where the route's own code was inlined.</summary>
    const string Endpoint = "the code of this route: its methods are inlined here, so their names are not known";

    public static string Head(Scene scene) =>
        $"Where worker threads were: share of {DeepEvidence.Sampled(scene.Report)} by {(scene.State.Show.ByKind ? "kind" : "frame")}";

    /// <summary>
    /// Returns the frames of a row's stack, innermost first, then further facts about the row. Framework frames are hidden unless the user
    /// shows them. The frame that the row of the table names is marked.
    /// </summary>
    public static IEnumerable<TextLine> Stack(BlockerRow row, Scene scene, int width)
    {
        // A stack that consists only of framework frames is shown whole.
        var whole = scene.State.Show.AllFrames || row.Stack.All(BlockerRow.IsFramework);
        var marked = false;
        return
        [
            .. StackFolding.Of(row.Stack, frame => BlockerRow.IsFramework(frame) && !whole)
                .Select(part => part.Frame is { } frame ? Frame(frame) : Folded(part.Hidden)),
            new(""),
            .. row.Notes.Append(BlockingPlaceWords.ToThePool(row.Kind))
                .SelectMany(note => TextFit.Wrap(note, width, int.MaxValue)).Select(line => new TextLine(line)),
        ];

        TextLine Frame(string frame)
        {
            var own = frame == row.Frame && !marked;
            marked |= own;
            return own ? new($"{Mark}{(row.IsEndpoint ? Endpoint : frame)}", Role.Title) : new($"{new string(' ', Mark.Length)}{frame}");
        }
    }

    static TextLine Folded(int frames) => new(
        $"   ... {Format.Plural(frames, "framework frame")} hidden: b shows {(frames == 1 ? "it" : "them")}", Role.Faint);

    public static IEnumerable<TableColumn<BlockerRow>> Columns(GlyphSet glyphs) =>
    [
        new("share", 5, 9, r => Format.Percent(r.Share)) { Right = true, Rank = r => r.Share },
        new("", BarColumns, 3, r => Bar(r.Share, glyphs)) { Role = _ => Role.Queue, Rank = r => r.Share },
        new("threads", 7, 6, r => Format.Brief(r.Threads)) { Right = true, Rank = r => r.Threads },
        new("kind", 6, 8, r => BlockingPlaceWords.Word(r.Kind))
        {
            Role = r => r.Kind is BlockKind.Task or BlockKind.Cpu ? Role.Text : Role.Starvation,
        },
        new("frame", 0, 10, r => r.Place),
    ];

    static string Bar(double share, GlyphSet glyphs)
    {
        var full = Math.Clamp((int)Math.Round(share * BarColumns), 0, BarColumns);
        return new string(glyphs.Ramp[^1], full) + new string(glyphs.Calm, BarColumns - full);
    }
}
