using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Targets;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>The callbacks with which the process picker finds and checks processes.</summary>
/// <param name="Look">Callback that watches one process for a few seconds to get a verdict; null if no process is checked.</param>
sealed record PickerCalls(Func<Task<IReadOnlyList<ProcessRow>>> Find, Func<ProcessRow, Task<PickerCheck>>? Look);

/// <summary>
/// The window in which the user chooses a process from a sortable table with a text filter. For each process, the window shows the verdict
/// of a short check, or why tpwatch cannot watch that process. Scans and checks run in the background.
/// </summary>
sealed class PickerWindow : Runnable
{
    /// <summary>Number of rows below the table for the text about the process under the cursor.</summary>
    const int WhyRows = 4;

    /// <summary>Maximum length of the filter, characters: no name is longer, and a text pasted by mistake is cut off.</summary>
    const int LongestFilter = 60;

    /// <summary>Time from the first scan to the automatic second scan, which is needed to compute the processor use.</summary>
    static readonly TimeSpan SecondScan = TimeSpan.FromSeconds(1);

    readonly PickerCalls links;
    readonly TimeProvider time;
    readonly Looks looks;
    readonly TextField filter;
    readonly RowTable<ProcessRow> table;
    readonly DrawingView header;
    readonly DrawingView title;
    readonly TextPane why;
    readonly ClickLine foot;
    readonly Dictionary<int, Task<PickerCheck>> looking = [];
    PickerState state = new();
    Task<PickerFound>? scan;
    long scanned;
    int scans;

    public PickerWindow(PickerCalls links, Look look, TimeProvider time)
    {
        (this.links, this.time, looks) = (links, time, new(look));
        (Width, Height, CanFocus) = (Dim.Fill(), Dim.Fill(), true);
        SetScheme(looks[Role.Text]);
        header = new(Now, Header) { Width = Dim.Fill(), Height = 1 };
        var label = new DrawingView(Now, pane => pane.Put(1, 0, "filter:", Role.KeyName)) { Y = 1, Width = 9, Height = 1 };
        filter = new TextInput(Attach) { X = 9, Y = 1, Width = Dim.Fill(1) };
        filter.TextChanged += (_, _) => Filter();
        table = new(Now, () => PickerTable.Columns(state, Viewport.Width)) { Y = 2, Height = Dim.Fill(WhyRows + 2) };
        table.Chosen += row =>
        {
            state = state with { Pid = row.Pid };
            Take();
        };
        table.Opened += _ => Attach();
        title = new(Now, pane => TextBlock.Title(
            pane, Row is { } row ? FormattableString.Invariant($"{row.Pid} {Words.OneLine(row.Name)}") : ""))
        {
            Y = Pos.AnchorEnd(WhyRows + 2), Width = Dim.Fill(), Height = 1,
        };
        why = new(Now) { Y = Pos.AnchorEnd(WhyRows + 1), Height = WhyRows };
        foot = new(Now, Keys) { Y = Pos.AnchorEnd(1), Width = Dim.Fill(), Height = 1 };
        Add(header, label, filter, table, title, why, foot);
        Initialized += (_, _) => filter.SetFocus();
    }

    /// <summary>The process that the user chose; null for none.</summary>
    public ProcessRow? Picked { get; private set; }

    ProcessRow? Row => PickerState.CursorIn(state.Shown, state.Pid) is >= 0 and var at ? state.Shown[at] : null;

    /// <summary>Takes over the results of finished scans and checks, and starts a scan that is due.</summary>
    public void Tick()
    {
        var before = state;
        if (scan is { IsCompletedSuccessfully: true, Result: var found })
        {
            (scan, scanned) = (null, time.GetTimestamp());
            state = state with { Rows = found.Rows, Before = state.Rows ?? [], Failure = found.Failure, Scanning = false };
            LookAtNew();
        }

        if (scan is null && (scans == 0 || scans == 1 && time.GetElapsedTime(scanned) >= SecondScan))
        {
            Scan();
        }

        foreach (var (pid, look) in looking)
        {
            if (look is { IsCompletedSuccessfully: true, Result: var seen })
            {
                state = state with { Looks = state.Looks.SetItem(pid, seen) };
            }
        }

        if (state != before)
        {
            Take();
        }
    }

    public override void EndInit()
    {
        base.EndInit();
        Take();
    }

    protected override void OnFrameChanged(in System.Drawing.Rectangle frame)
    {
        base.OnFrameChanged(frame);
        Take();
    }

    protected override bool OnKeyDown(Key key)
    {
        if (key == Key.Esc)
        {
            filter.Text = "";
        }
        else if (key == Key.F5)
        {
            Scan();
        }
        else
        {
            table.InvokeCommand(key == Key.CursorUp ? Command.Up : key == Key.CursorDown || key == Key.Tab ? Command.Down
                : key == Key.PageUp ? Command.PageUp : key == Key.PageDown ? Command.PageDown : Command.NotBound);
        }

        return true;
    }

    Looks Now() => looks;

    void Scan()
    {
        if (scan is null)
        {
            scans++;
            state = state with { Scanning = true };
            scan = FindAsync();
            Take();
        }
    }

    async Task<PickerFound> FindAsync()
    {
        try
        {
            return new([.. (await links.Find()).OrderBy(r => r.Pid)], null);
        }
        catch (UserErrorException e)
        {
            return new([], $"{e.Message} {e.Hint}");
        }
    }

    void LookAtNew()
    {
        foreach (var row in (state.Rows ?? []).Where(r => r.WhyNot is null && !looking.ContainsKey(r.Pid)))
        {
            if (links.Look is { } look)
            {
                looking[row.Pid] = look(row);
                state = state with { Looks = state.Looks.SetItem(row.Pid, null) };
            }
        }
    }

    // Typed letters filter the rows, except that q quits while the filter is empty.
    void Filter()
    {
        if (filter.Text == "q")
        {
            App?.RequestStop();
            return;
        }

        if (filter.Text.Length > LongestFilter)
        {
            filter.Text = filter.Text[..LongestFilter];
        }

        state = state with { Filter = filter.Text.TrimStart('/', ' ') };
        Take();
    }

    void Attach()
    {
        if (Row is { WhyNot: null } row)
        {
            Picked = row;
            App?.RequestStop();
        }
    }

    void Take()
    {
        if (!IsInitialized)
        {
            return;
        }

        var shown = state.Shown;
        table.Visible = !shown.IsEmpty;
        title.Visible = !shown.IsEmpty;
        (why.Y, why.Height) = shown.IsEmpty ? (Pos.Absolute(3), Dim.Fill(1)) : (Pos.AnchorEnd(WhyRows + 1), Dim.Absolute(WhyRows));
        Layout(Frame.Size);
        table.Fill(shown, Row);
        why.Fill(Row?.Pid, width => Row is { } row ? PickerTable.Why(row, state, width)
            : TextFit.Wrap(PickerTable.Nothing(state), width, int.MaxValue).Select(l => new TextLine(l)));
        foreach (var view in new View[] { header, title, foot })
        {
            view.SetNeedsDraw();
        }
    }

    void Header(Pane pane)
    {
        var x = pane.Put(1, 0, "tpwatch", Role.Title);
        pane.Put(x + 3, 0, "choose a process");
        pane.PutEndingAt(pane.Width - 1, 0, PickerTable.Count(state), Role.Faint);
    }

    IEnumerable<ClickPart> Keys(int width)
    {
        (string Show, string Does, Action? Act)[] all =
        [
            ("type", "to filter", null), ("up/dn", "row", null), ("enter", "attach", Attach), ("F5", "scan again", Scan),
            .. state.Filter.Length == 0 ? [("q", "quit", (Action)(() => App?.RequestStop()))]
                : ((string, string, Action?)[])[("esc", "no filter", () => filter.Text = ""), ("ctrl+c", "quit", () => App?.RequestStop())],
        ];
        var x = 1;
        foreach (var (show, does, act) in all)
        {
            if (x + show.Length + does.Length + 1 < width)
            {
                yield return new(x, show, Role.KeyName, act);
                yield return new(x + show.Length, $" {does}", Role.Faint, act);
                x += show.Length + does.Length + 3;
            }
        }
    }

    sealed record PickerFound(ImmutableArray<ProcessRow> Rows, string? Failure);
}

/// <summary>The texts of the process picker: the table of processes, and why some processes cannot be chosen.</summary>
static class PickerTable
{
    const int WideScreen = 100;

    /// <summary>Returns the number of processes, or says that a scan is in progress.</summary>
    public static string Count(PickerState state)
    {
        var (all, shown) = (state.Rows?.Length ?? 0, state.Shown.Length);
        return state.Scanning ? "scanning" : state.Filter.Length > 0 ? FormattableString.Invariant($"{shown} of {all}")
            : FormattableString.Invariant($"{all} found  F5 scan");
    }

    /// <summary>Returns the text that replaces an empty table.</summary>
    public static string Nothing(PickerState state) =>
        state.Rows is null ? "Looking for .NET processes."
        : state.Failure ?? (state.Filter.Length > 0 ? "No process matches. esc shows all processes."
            : "This user can see no .NET process. To see another user's processes, run as that user or as root. F5 scans again.");

    public static IEnumerable<TableColumn<ProcessRow>> Columns(PickerState state, int width)
    {
        static Role Look(ProcessRow row) => row.WhyNot is null ? Role.Text : Role.Faint;
        yield return new("pid", 7, 9, r => r.Pid.ToString(CultureInfo.InvariantCulture)) { Right = true, Role = Look, Rank = r => r.Pid };
        yield return new("verdict", 16, 8, r => state.VerdictOf(r)) { Role = r => state.IsTrouble(r) ? Role.Starvation : Look(r) };
        yield return new("runtime", 12, 6, r => r.Runtime is { } v ? $".NET {v}" : "?") { Role = Look };
        yield return new("cpu", 5, 4, r => state.ProcessorUse(r) is { } use ? Format.Percent(use) : "-")
        {
            Right = true, Role = Look, Rank = r => state.ProcessorUse(r) ?? double.NaN,
        };
        yield return new("threads", 7, 3, r => r.Threads?.ToString(CultureInfo.InvariantCulture) ?? "?")
        {
            Right = true, Role = Look, Rank = r => r.Threads ?? double.NaN,
        };
        yield return new("age", 8, 2, r => r.AgeMs is { } age ? Age(age) : "?")
        {
            Right = true, Role = Look, Rank = r => r.AgeMs ?? double.NaN,
        };
        yield return new("user", width >= WideScreen ? 12 : 8, 1, r => r.User ?? "?") { Role = Look };
        yield return new("name and command", 0, 10, Text)
        {
            Role = Look,
            IsProse = r => r.WhyNot is not null,
            Brief = r => r.WhyNot is null ? Text(r) : $"{r.Name}: cannot watch",
        };
    }

    static string Text(ProcessRow row)
    {
        var command = PickerState.Command(row);
        return row.WhyNot is { } why
            // The row already shows the name and id with which the reason begins.
            ? $"{row.Name}: {Sentence.Without(FormattableString.Invariant($"Process {row.Pid} ({row.Name}) "), Words.OneLine(why))}"
            : command.Contains(row.Name, StringComparison.Ordinal) ? command : $"{row.Name}  {command}";
    }

    // Returns a coarse age, which is enough to see which of two processes started recently.
    static string Age(double ms) => ms switch
    {
        < 60_000 => FormattableString.Invariant($"{(long)(ms / 1000)} s"),
        < 3_600_000 => FormattableString.Invariant($"{(long)(ms / 60_000)} min"),
        < 172_800_000 => FormattableString.Invariant($"{(long)(ms / 3_600_000)} h"),
        _ => FormattableString.Invariant($"{(long)(ms / 86_400_000)} d"),
    };

    /// <summary>Returns the effect of Enter and the result of the check, or why the process cannot be watched.</summary>
    public static IEnumerable<TextLine> Why(ProcessRow row, PickerState state, int width) => TextFit.Wrap(Words.OneLine(
            row.WhyNot is { } why ? string.Join(' ', new[] { why, row.Hint }.OfType<string>())
            : "Enter attaches: one event session, with counter samples once a second. Quitting leaves the process running."
                + (state.SaidOf(row) is { } said ? $" {said}" : "")), width, int.MaxValue)
        .Select(l => new TextLine(l, row.WhyNot is null ? Role.Text : Role.Starvation));
}

/// <summary>The result of the short check of a process: a report, or why there is none.</summary>
sealed record PickerCheck(PoolReport? Report, string? WhyNot);

/// <summary>State of the process picker: the machine's processes and the user's input. Immutable; a change makes a new state.</summary>
sealed record PickerState
{
    /// <summary>The processes of the last scan, by pid; null during the first scan.</summary>
    public ImmutableArray<ProcessRow>? Rows { get; init; }

    /// <summary>The processes of the scan before the last one, for the processor use between the two scans.</summary>
    public ImmutableArray<ProcessRow> Before { get; init; } = [];

    /// <summary>Words to filter the rows by; a shown row contains every word.</summary>
    public string Filter { get; init; } = "";

    /// <summary>Pid of the process under the cursor; null means the first process that tpwatch can attach to.</summary>
    public int? Pid { get; init; }

    /// <summary>Why the last scan failed, and what to do; null if the scan did not fail.</summary>
    public string? Failure { get; init; }

    public bool Scanning { get; init; }

    /// <summary>The results of the short checks, by pid; a result is null while its check is in progress.</summary>
    public ImmutableDictionary<int, PickerCheck?> Looks { get; init; } = ImmutableDictionary<int, PickerCheck?>.Empty;

    public ImmutableArray<ProcessRow> Shown
    {
        get
        {
            var words = Filter.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            return [.. (Rows ?? []).Where(r => words.All(w => Texts(r).Any(t => t.Contains(w, StringComparison.OrdinalIgnoreCase))))];
        }
    }

    /// <summary>Index of the row with the pid, else of the first row that tpwatch can watch, else of the last; -1 without rows.</summary>
    public static int CursorIn(ImmutableArray<ProcessRow> shown, int? pid)
    {
        var row = shown.FirstOrDefault(r => r.Pid == pid) ?? shown.FirstOrDefault(r => r.WhyNot is null);
        return row is not null ? shown.IndexOf(row) : shown.Length - 1;
    }

    /// <summary>Share of one processor that a process used between the last two scans; null when not known.</summary>
    public double? ProcessorUse(ProcessRow row) =>
        Before.FirstOrDefault(b => b.Pid == row.Pid) is { } before && row.AgeMs - before.AgeMs is > 0 and var elapsed
        && row.ProcessorMs - before.ProcessorMs is >= 0 and var used
            ? used / elapsed
            : null;

    /// <summary>The verdict on a process, or the state of its check; <c>-</c> if no check is possible, empty if none was started.</summary>
    public string VerdictOf(ProcessRow row) => row.WhyNot is not null ? "-"
        : !Looks.TryGetValue(row.Pid, out var look) ? "" : look is null ? "checking" : look.Report is { } report
            ? VerdictWords.Of(report.Verdict) : "not known";

    /// <summary>Whether the verdict on a process needs the user's attention.</summary>
    public bool IsTrouble(ProcessRow row) => Looks.TryGetValue(row.Pid, out var look) && look?.Report?.Verdict.IsTrouble() == true;

    /// <summary>The result of the check of a process, in sentences; null without a result.</summary>
    public string? SaidOf(ProcessRow row) => !Looks.TryGetValue(row.Pid, out var look) || look is null ? null
        : look.Report?.Headline ?? look.WhyNot;

    /// <summary>The command line of a process, shortened and without values that may be secret; the name if there is none.</summary>
    public static string Command(ProcessRow row) =>
        row.CommandLine is { Length: > 0 } line ? Words.OneLine(TargetCommandLine.Shorten(line)) : row.Name;

    static IEnumerable<string> Texts(ProcessRow row) =>
        [row.Pid.ToString(CultureInfo.InvariantCulture), row.Name, row.Runtime ?? "", row.User ?? "", Command(row)];
}
