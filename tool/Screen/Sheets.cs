using Terminal.Gui.App;
using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>Creates the screen and its dialogs.</summary>
static class Sheets
{
    /// <summary>Creates the window that shows a model; commands in this window open the dialogs.</summary>
    public static LiveWindow Window(ScreenModel model, Look look)
    {
        LiveWindow? window = null;
        return window = new LiveWindow(model, look) { Open = action => Of(action, model, window!)?.Show(window!.App!) };
    }

    static Sheet? Of(UiAction action, ScreenModel model, LiveWindow window) => action switch
    {
        UiAction.Help => new HelpSheet(window.Now, model.State.View, window.Act),
        _ when model.Scene is null => null,
        UiAction.Command => new PaletteSheet(window.Now, model, window.Act),
        UiAction.WhatIf => new WhatIfSheet(window.Now, model),
        UiAction.Save => new SaveSheet(window.Now, model),
        UiAction.SelfCheck or UiAction.Loss => new DataStatusSheet(window.Now, model, action == UiAction.Loss),
        _ => null,
    };
}

/// <summary>The dialog that says which of the requested data arrives, or which events were lost.</summary>
sealed class DataStatusSheet : Sheet
{
    readonly ScreenModel model;
    readonly bool loss;
    readonly TextPane text;

    /// <param name="loss">Whether the dialog is about lost events; if not, it is about the arriving data.</param>
    public DataStatusSheet(Func<Looks> looks, ScreenModel model, bool loss)
        : base(looks(), loss ? "which events were lost: esc closes" : "which data arrives, and which does not: esc closes", 90)
    {
        (this.model, this.loss) = (model, loss);
        text = new(looks);
        Add(text);
        model.Changed += Fill;
    }

    protected override View Rows => text;

    protected override void Closed() => model.Changed -= Fill;

    protected override bool OnKeyDown(global::Terminal.Gui.Input.Key key)
    {
        if (Commands.Bindings.Of(key, ViewName.Overview) == (loss ? UiAction.Loss : UiAction.SelfCheck))
        {
            Close();
            return true;
        }

        return base.OnKeyDown(key);
    }

    protected override void Fill()
    {
        if (model.Scene is { } scene)
        {
            text.Fill(null, width => loss ? InfoText.Loss(scene, width) : InfoText.SelfCheck(scene, width));
        }
    }
}

/// <summary>The dialog that saves a report in one of its formats, or the buffered events, in the working directory.</summary>
sealed class SaveSheet : Sheet
{
    readonly ScreenModel model;
    readonly RowTable<SaveFormat> formats;
    readonly TextField name;

    public SaveSheet(Func<Looks> looks, ScreenModel model)
        : base(looks(), "save in this folder: enter saves, esc closes", 70)
    {
        this.model = model;
        formats = new(looks, Columns) { Height = Dim.Fill(2), CanFocus = true };
        formats.Opened += _ => Save();
        var label = new DrawingView(looks, pane => pane.Put(1, 0, "name:", Role.KeyName)) { Y = Pos.AnchorEnd(2), Width = 7, Height = 1 };
        name = new TextInput(Save);
        (name.X, name.Y) = (7, Pos.AnchorEnd(2));
        var hint = new DrawingView(looks, pane => pane.Put(1, 0, "tab: to the name; empty, it is made of process and time", Role.Faint))
        {
            Y = Pos.AnchorEnd(1), Width = Dim.Fill(), Height = 1,
        };
        Add(formats, label, name, hint);
        Initialized += (_, _) => formats.SetFocus();
    }

    protected override View Rows => formats;

    protected override void Fill() => formats.Fill(SaveFormat.All, formats.Row ?? SaveFormat.All[0]);

    void Save()
    {
        if (formats.Row is { } format)
        {
            var file = name.Text.Trim();
            Close();
            model.Do(new KeyCommand(UiAction.Save) { Save = new(format.Document, file.Length == 0 ? null : file) });
        }
    }

    static IEnumerable<TableColumn<SaveFormat>> Columns() =>
    [
        new("format", 16, 10, f => f.Ending) { Role = _ => Role.KeyName },
        new("what it is", 0, 9, f => f.Says),
    ];
}

/// <summary>The help dialog: all keys and the meaning of all marks. Typed text filters both; Enter runs the action of a key.</summary>
sealed class HelpSheet : Sheet
{
    readonly ViewName view;
    readonly TextField search;
    readonly RowTable<Binding> keys;
    readonly TextPane marks;
    readonly Func<Looks> looks;

    /// <param name="view">The shown view; the keys of this view come first, the keys of other views are faint.</param>
    public HelpSheet(Func<Looks> looks, ViewName view, Action<UiAction> act)
        : base(looks(), "help: type to search, enter does it, esc closes", 90)
    {
        (this.looks, this.view) = (looks, view);
        search = new TextInput(() => Do(keys?.Row, act));
        keys = new(looks, Columns) { Y = 1, Height = Dim.Percent(55) };
        marks = new(looks) { Y = Pos.Bottom(keys) };
        search.TextChanged += (_, _) => Fill();
        keys.Opened += row => Do(row, act);
        Add(search, keys, marks);
        Initialized += (_, _) => search.SetFocus();
    }

    protected override View Rows => keys;

    void Do(Binding? row, Action<UiAction> act)
    {
        if (row is not null)
        {
            Close();
            if (row.Keys[0].Action != UiAction.Help)
            {
                act(row.Keys[0].Action);
            }
        }
    }

    // The keys of the shown view come first, so that a small screen shows these keys without scrolling.
    protected override void Fill()
    {
        var text = search.Text;
        ImmutableArray<Binding> rows =
        [
            .. Bindings.All.Where(b => $"{b.Show} {b.Help}".Contains(text, StringComparison.OrdinalIgnoreCase))
                .OrderByDescending(b => b.On.Has(view)).ThenByDescending(b => b.IsHintedOn(view)),
        ];
        keys.Fill(rows, keys.Row is { } row && rows.Contains(row) ? row : rows.FirstOrDefault());
        marks.Fill(text, width => MarkLegend.Lines(looks().Look.Glyphs, width, text));
    }

    IEnumerable<TableColumn<Binding>> Columns() =>
    [
        new("keys", 8, 9, b => b.Show) { Role = b => b.On.Has(view) ? Role.KeyName : Role.Faint },
        new("what they do", 32, 8, b => b.Help) { Role = b => b.On.Has(view) ? Role.Text : Role.Faint },
        new("where", 0, 1, b => b.On == ViewSet.Everywhere ? "" : $"in {Where(b.On)}") { Role = _ => Role.Faint },
    ];

    static string Where(ViewSet on) =>
        string.Join(", ", Enum.GetValues<ViewName>().Where(v => on.Has(v)).Select(v => FormattableString.Invariant($"{(int)v + 1} {v}")));
}

/// <summary>The legend of the marks, which are the letters and signs that stand for events and states on the screen.</summary>
static class MarkLegend
{
    /// <summary>Character that stands for a blank at which a line must not break, such as the blank between a mark and its name.</summary>
    const char Glued = '\u00A0';

    const int Indent = 9;

    /// <summary>Returns the legend as lines: the groups that contain the searched text, or all groups if that text is empty.</summary>
    public static IEnumerable<TextLine> Lines(GlyphSet glyphs, int width, string search) => Legend(glyphs)
        .Where(l => $"{l.Name} {string.Join("  ", l.Parts)}".Contains(search, StringComparison.OrdinalIgnoreCase))
        .SelectMany(l => TextBlock.Labelled(
            l.Name, string.Join("  ", l.Parts.Select(part => part.Replace(' ', Glued))), Indent, width))
        .Select(line => line with { Text = line.Text.Replace(Glued, ' ') });

    static IEnumerable<(string Name, string[] Parts)> Legend(GlyphSet glyphs) =>
    [
        ("inject", [.. DelayMark.Reasons.Select(r => $"{r.Mark.Letter} {r.Mark.Name}")]),
        ("", [.. DelayMark.WithoutReason.Select(m => $"{m.Letter} {m.Name}"), "* several"]),
        ("judged", ["(d shows it) = as expected", "! early or late", "? unexplained", "x not judged", "o not over"]),
        ("tabs", ["new: findings that you have not read; press a to mark one as read"]),
        ("gate", ["G a gate check, bold if it added a thread (zoom in to 0.1 s)"]),
        ("lines", ["solid threads", "dashed target", "dotted MinThreads"]),
        ("band", [$"{glyphs.Starved} starved", "~ undetected starvation", "m starved at MaxThreads",
            "% saturated", "! wedged or held", $"{glyphs.Calm} no item known to wait 1 s"]),
        ("data", ["x events lost", "? not known", "queue and cpu show the maximum, item/s the mean"]),
    ];
}

/// <summary>
/// The command palette: finds commands by a part of the name, and shows the key of each command. If a command is not possible now, the
/// palette says why. The user can also type a command with arguments.
/// </summary>
sealed class PaletteSheet : Sheet
{
    /// <summary>Maximum length of the typed text, characters: no command is longer, and a text pasted by mistake is cut off.</summary>
    const int Longest = 60;

    readonly ScreenModel model;
    readonly TextField field;
    readonly RowTable<PaletteRow> table;
    readonly DrawingView below;
    readonly Action<UiAction> act;

    public PaletteSheet(Func<Looks> looks, ScreenModel model, Action<UiAction> act)
        : base(looks(), "command: a part of its name, or goto -12s", 80)
    {
        (this.model, this.act) = (model, act);
        field = new TextInput(Enter);
        table = new(looks, Columns) { Y = 1, Height = Dim.Fill(1) };
        below = new(looks, pane => pane.Put(1, 0, Below(), Role.Faint)) { Y = Pos.AnchorEnd(1), Width = Dim.Fill(), Height = 1 };
        field.TextChanged += (_, _) =>
        {
            field.Text = field.Text.Length > Longest ? field.Text[..Longest] : field.Text;
            Fill();
        };
        table.Opened += _ => Enter();
        Add(field, table, below);
        Initialized += (_, _) => field.SetFocus();
    }

    protected override View Rows => table;

    protected override bool OnKeyDown(Key key)
    {
        if (key == Key.Tab)
        {
            field.Text = TypedCommands.Complete(field.Text);
            field.MoveEnd();
            return true;
        }

        return base.OnKeyDown(key);
    }

    protected override void Fill()
    {
        if (model.Scene is { } scene)
        {
            var rows = Palette.Find(field.Text, scene, model.Links);
            table.Fill(rows, rows.FirstOrDefault(r => r.Name == table.Row?.Name) ?? rows.FirstOrDefault());
            below.SetNeedsDraw();
        }
    }

    // Runs a command that is typed completely, else that of the selected row. If it needs arguments, fills in its beginning instead.
    void Enter()
    {
        var text = field.Text.Trim();
        if (TypedCommands.Names.Contains(text.Split(' ')[0])
            && (text.Contains(' ', StringComparison.Ordinal) || table.Row is not { Typed: "" }))
        {
            Close();
            model.Run(text);
        }
        else if (table.Row is { Typed.Length: > 0 } words)
        {
            field.Text = words.Typed;
            field.MoveEnd();
        }
        else if (table.Row is { Action: { } action })
        {
            Close();
            act(action);
        }
        else if (text.Length > 0)
        {
            Close();
            model.Run(text);
        }
    }

    string Below()
    {
        var completions = string.Join(' ', TypedCommands.Beginning(field.Text));
        return field.Text.Contains(' ', StringComparison.Ordinal) && completions.Length > 0 ? completions
            : table.Row is { WhyNot: { } why } ? why : "enter does it   tab completes   esc closes";
    }

    static IEnumerable<TableColumn<PaletteRow>> Columns() =>
    [
        new("command", 30, 9, r => r.Name) { Role = r => r.WhyNot is null ? Role.Text : Role.Faint },
        new("key", 22, 8, r => r.Keys) { Role = r => r.WhyNot is null ? Role.KeyName : Role.Faint },
        new("not possible now", 0, 7, r => r.WhyNot ?? "") { Role = _ => Role.Faint, IsProse = _ => true },
    ];
}

/// <summary>Texts about the capture: which of the requested data arrives, and which events were lost.</summary>
static class InfoText
{
    const int Indent = 13;

    /// <summary>Maximum age of a counter sample that counts as recent, as a multiple of the interval between samples.</summary>
    const int LateSamples = 3;

    /// <summary>Returns, as lines of text, which of the requested data arrives.</summary>
    public static IEnumerable<TextLine> SelfCheck(Scene scene, int width) => Lines(SelfCheck(scene), width);

    /// <summary>Returns, as lines of text, how many events were lost, when and why.</summary>
    public static IEnumerable<TextLine> Loss(Scene scene, int width) => Lines(Loss(scene), width);

    static IEnumerable<TextLine> Lines(IEnumerable<(string Label, string Text)> texts, int width) =>
        texts.SelectMany(t => TextBlock.Labelled(t.Label, t.Text, Indent, width));

    static IEnumerable<(string Label, string Text)> SelfCheck(Scene scene)
    {
        var (timeline, report) = (scene.Timeline, scene.Report);
        yield return ("stream",
            $"{Format.Plural(timeline.Quality.Events, "event")} in {Format.Duration(timeline.Now.MsSince(timeline.Start))}, "
                + $"read up to {Format.Utc(timeline.UtcOf(timeline.Quality.CompleteUpTo))}");
        yield return ("adjustments", report.Adjustments.IsEmpty
            ? "none: the pool has not changed its target thread count since the capture began. With steady work that is normal."
            : $"{Format.Plural(report.Adjustments.Values.Sum(), "thread count adjustment")}: "
                + $"{string.Join(", ", report.Adjustments.Select(a => $"{DelayMark.OfReason(a.Key).Name} {Format.Count(a.Value)}"))}");
        yield return ("threads",
            timeline.WorkerMoments.IsEmpty
                ? "no event about worker threads came"
                    + (!timeline.CounterSamples.IsEmpty ? "; counter samples tell how many there are"
                        : report.Adjustments.IsEmpty ? ", so their number is not known"
                        : ", so only adjustments tell how many there are")
                : $"{Format.Plural(timeline.WorkerMoments.Length, "event")} of worker threads kept");
        yield return ("counters", CounterSample(timeline));
        yield return ("processors", Value(timeline.Target.Processors));
        yield return ("MinThreads", MinThreads(scene));
        yield return ("MaxThreads", Value(timeline.Target.MaxWorkers));
        yield return ("clock",
            timeline.Clock is { } clock
                ? $"tpwatch reads the machine's clock (steps of {Format.Duration(clock.StepMs)}), so it can explain each gate check"
                : "tpwatch cannot read the clock that the pool measures with. "
                    + "So tpwatch cannot tell whether a gate check about 500 ms after the last dequeue should add a thread.");
        yield return ("process",
            timeline.Process is null
                ? timeline.Source == SessionSource.Recording ? "the recording does not hold the state of the process"
                    : "not known: tpwatch reads the state only of a process on the same Linux machine"
                : "tpwatch reads the state of the process: stops, throttling, waits for a processor");
        foreach (var remark in timeline.Quality.Remarks)
        {
            yield return ("remark", remark);
        }

        yield return ("summary", Conclusion(scene));
    }

    static string MinThreads(Scene scene) => scene.State.Min is { } told ? $"{Format.Count(told)} (assumed by :min)"
        : Value(scene.Timeline.Target.MinWorkers) + (scene.Timeline.Target.MinWorkers.Value is null
            ? "; if you know it, type :min N (it changes only what tpwatch computes)" : "");

    static string CounterSample(TimelineSnapshot timeline)
    {
        if (timeline.CounterSamples is not [.., var last])
        {
            return "none came, so queue length and undetected starvation are not known. Either counter samples are off, "
                + "or another tool holds the runtime's metrics session.";
        }

        var ago = timeline.Now.MsSince(last.At);
        return $"{Format.Plural(timeline.CounterSamples.Length, "counter sample")} kept, "
            + $"the last {Format.Duration(ago)} before the newest event"
            + (IsLate(last, ago) ? ": too long ago" : "");
    }

    static bool IsLate(CounterSample last, double agoMs) => last.IntervalMs is { } interval && agoMs > LateSamples * interval;

    static string Conclusion(Scene scene)
    {
        var timeline = scene.Timeline;
        var lost = timeline.Quality.Lost > 0 || timeline.Quality.LossUnknown ? " Some events were lost." : "";
        string[] missing = [.. new[]
        {
            timeline.CounterSamples.IsEmpty ? "counter samples" : null,
            timeline.Target.MinWorkers.Value is null ? "MinThreads" : null,
            timeline.Target.MaxWorkers.Value is null ? "MaxThreads" : null,
            timeline.Clock is null ? "the machine's clock" : null,
            timeline.Process is null ? "the state of the process" : null,
        }.OfType<string>()];
        return missing switch
        {
            [] when lost.Length == 0 => "Everything that tpwatch asked for arrives.",
            [] => lost.TrimStart(),
            [var one] => $"Missing: {one}.{lost}",
            [.. var others, var last] => $"Missing: {string.Join(", ", others)} and {last}.{lost}",
        };
    }

    static IEnumerable<(string Label, string Text)> Loss(Scene scene)
    {
        var (quality, start) = (scene.Timeline.Quality, scene.Timeline.Start);
        yield return ("lost", quality is { Lost: 0, LossUnknown: false } ? "Nothing was lost."
            : $"{(quality.LossUnknown ? "An unknown number" : Format.Count(quality.Lost))} "
                + $"of {Format.Plural(quality.Events + quality.Lost, "event")}, in "
                + $"{Format.Plural(quality.LossSpans.Length, "period")}. "
                + "tpwatch judges no injection delays in that time and draws no curves.");
        foreach (var span in quality.LossSpans.Reverse())
        {
            yield return (Format.Clock(span.From.MsSince(start), tenths: true),
                $"to {Format.Clock(span.To.MsSince(start), tenths: true)}, {Format.Duration(span.Ms)}");
        }

        yield return ("decoding",
            quality.Undecodable == 0
                ? "tpwatch understood every pool event that arrived."
                : $"tpwatch could not understand {Format.Plural(quality.Undecodable, "event")}.");
        if (scene.Report.Evicted > 0)
        {
            yield return ("discarded",
                $"{Format.Plural(scene.Report.Evicted, "injection delay or episode", "injection delays and episodes")}, "
                    + "to limit memory use. The totals still include them.");
        }

        yield return ("why",
            "The runtime drops events when its buffer is full: events come faster than tpwatch reads them. "
                + "To lose fewer events, keep one processor free for tpwatch. If tpwatch measures items, stop that (4, then t).");
    }

    static string Value(SourcedValue value) =>
        value.Value is { } known ? $"{Format.Count(known)} ({TargetWords.Source(value.Source)})" : "not known";
}

/// <summary>
/// Base class of the dialogs. The screen below an open dialog goes on updating. Esc closes the dialog. Arrow keys and page keys move the
/// rows of the dialog, unless a text field uses these keys.
/// </summary>
abstract class Sheet : Dialog
{
    SessionToken? session;

    /// <param name="percent">Width and height, percent of the screen.</param>
    protected Sheet(Looks looks, string title, int percent)
    {
        Title = title;
        (Width, Height, ShadowStyle) = (Dim.Percent(percent), Dim.Percent(percent), ShadowStyles.None);
        BorderStyle = Terminal.Gui.Drawing.LineStyle.Single;
        Arrangement = ViewArrangement.Fixed;
        SetScheme(looks[Role.Text]);
    }

    /// <summary>The view whose rows or text the arrow keys and page keys move; null for none.</summary>
    protected virtual View? Rows => null;

    public void Show(IApplication app) => session = app.Begin(this);

    public void Close()
    {
        if (session is { } open)
        {
            session = null;
            Closed();
            App?.End(open);
        }
    }

    /// <summary>Called when the dialog closes.</summary>
    protected virtual void Closed()
    {
    }

    /// <summary>Fills the views of the dialog with content; called after each layout, when the sizes of the views are known.</summary>
    protected abstract void Fill();

    protected override void OnSubViewsLaidOut(LayoutEventArgs args)
    {
        base.OnSubViewsLaidOut(args);
        Fill();
    }

    protected override bool OnKeyDown(Key key)
    {
        if (key == Key.Esc)
        {
            Close();
            return true;
        }

        Command? move = key == Key.CursorUp ? Command.Up : key == Key.CursorDown ? Command.Down
            : key == Key.PageUp ? Command.PageUp : key == Key.PageDown ? Command.PageDown : null;
        if (move is { } command && Rows is { } rows)
        {
            rows.InvokeCommand(command);
            return true;
        }

        return base.OnKeyDown(key);
    }
}
