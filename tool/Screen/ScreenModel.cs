using Tpwatch.Diagnosis;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;

namespace Tpwatch.Screen;

/// <summary>
/// The model of the screen: the newest report, the user's choices, and the effect of each command. The model depends on no view and no
/// terminal; only one thread uses the model.
/// </summary>
/// <param name="latest">Gets the newest report; null before the first report.</param>
/// <param name="notice">Gets the warning of the running watch, such as BEHIND, for the status line; null for none.</param>
sealed class ScreenModel(Func<PoolReport?> latest, Func<Notice?> notice, ScreenCalls links)
{
    PoolReport? newest;
    Scene? scene;
    ScreenActions? actions;
    long arrived;

    /// <summary>Raised when the screen may have to be drawn anew.</summary>
    public event Action? Changed;

    /// <summary>Raised with a text for the user's clipboard.</summary>
    public event Action<string>? Copied;

    /// <summary>Raised when the whole screen must be written again, because the terminal may show something else.</summary>
    public event Action? Redrawn;

    public ViewState State { get; private set; } = new();

    /// <summary>The report and state that the views show; null before the first report.</summary>
    public Scene? Scene => scene is not null && ReferenceEquals(scene.State, State) ? scene : scene = SceneOf(State);

    /// <summary>Number of time columns on the screen.</summary>
    public int Columns { get; set; }

    public ScreenCalls Links => links;

    /// <summary>Callback that runs long work on another thread; in tests, on the same thread.</summary>
    public Func<Action, Task> Side { get; init; } = Task.Run;

    ScreenActions Actions => actions ??= new(links) { Run = Side };

    /// <summary>Takes over the newest report, banner and background results; called at each update of the screen.</summary>
    public void Tick()
    {
        var (report, banner) = (latest(), notice());
        var before = State;
        var same = IsSame(report, newest);
        if (!same)
        {
            arrived = links.Time.GetTimestamp();
        }

        // Event times of the earlier session mean nothing in a new session, so choices that refer to such times are removed.
        if (report is not null && newest is not null && report.Timeline.Start != newest.Timeline.Start)
        {
            State = Navigation.Follow(State) with { Selected = null, Measure = null, Simulated = null, Freeze = null };
        }

        newest = report;
        scene = null;
        State = State with { Notice = banner, Playing = ReplaySpeeds.Of(links.Playback), Freeze = Thaw(report) };
        State = Actions.Arrived(State, SceneOf, Columns) ?? State;
        State = StackSamplingStatus.In(State, links.Probes(), newest, links.Time);
        State = State with
        {
            AheadMs = State.Freeze is null ? Countdown.AheadMs(newest, links.Playback, links.Time.GetElapsedTime(arrived)) : 0,
            Flash = State.Freeze is null && before.Freeze is not null ? "The frozen data is no longer kept. This is the newest."
                : State.Flash,
        };
        State = State with { Held = Hold() };
        if (!same || State != before)
        {
            Changed?.Invoke();
        }
    }

    /// <summary>Writes the whole screen again, which helps when another program has written to the terminal.</summary>
    public void Redraw() => Redrawn?.Invoke();

    public void Resize(int columns)
    {
        Columns = columns;
        State = State with { Held = Hold() };
    }

    /// <summary>Runs a command of a key, a click or a dialog. If the command changes nothing, the screen shows the reason.</summary>
    public void Do(KeyCommand wish)
    {
        var (before, asked) = (State, State.Pending);
        var cleared = State with { Flash = null, Pending = null };
        State = cleared;
        if (!(asked is not null && wish.Action == UiAction.Peel) && Scene is { } shown)
        {
            State = Next(wish, shown, asked);
            // Held is computed from the rest of the state, so a new value of Held does not count as a change.
            if (State with { Held = cleared.Held } == cleared && asked is null)
            {
                State = State with { Flash = KeyMessages.Of(wish.Action, shown) };
            }
        }

        State = KeyMessages.AfterAsking(before, wish, State);
        Tell(before);
    }

    public void Do(UiAction action) => Do(new KeyCommand(action));

    /// <summary>Shows a sentence about a key that does nothing here.</summary>
    public void Refuse(string sentence)
    {
        var before = State;
        State = KeyMessages.AfterAsking(before, null, State with { Flash = State.Pending is null ? sentence : null, Pending = null });
        Tell(before);
    }

    /// <summary>Runs a typed command such as <c>goto -12s</c>.</summary>
    public void Run(string text)
    {
        if (Scene is { } shown)
        {
            var before = State;
            (State, var wish) = TypedCommands.Run(shown with { State = State with { Flash = null, Pending = null } }, Columns, text);
            if (wish is not null)
            {
                Do(wish);
            }
            else
            {
                Tell(before);
            }
        }
    }

    /// <summary>Applies a choice of a row, an event or a span.</summary>
    public void Choose(Func<Scene, ViewState> choice)
    {
        if (Scene is { } shown)
        {
            var before = State;
            State = choice(shown with { State = State with { Flash = null, Pending = null } });
            Tell(before);
        }
    }

    void Tell(ViewState before)
    {
        if (State != before)
        {
            State = State with { Held = Hold() };
            Changed?.Invoke();
        }
    }

    ViewState Next(KeyCommand wish, Scene shown, PendingConfirmation? asked) => CommandAvailability.Refusal(wish, shown, links) is { } why
        ? State with { Flash = why }
        : Actions.Next(wish, shown, asked) ?? wish.Action switch
        {
            UiAction.Freeze => State with { Freeze = State.Freeze is null && newest is not null ? new(newest, newest) : null },
            UiAction.Copy => Copy(shown),
            _ => ActionReducer.Next(wish.Action, shown, Columns),
        };

    // A value of MinThreads that the user typed replaces the observed value.
    Scene? SceneOf(ViewState of) => (of.Freeze?.Shown ?? newest) is not { } report ? null
        : new(of.Min is not { } min ? report : report with
        {
            Timeline = report.Timeline with { Target = report.Timeline.Target with { MinWorkers = new(min, SettingSource.Inferred) } },
        }, of);

    // Ends the freeze when the capture no longer keeps any of the frozen data, because the views could no longer show that data.
    FrozenDisplay? Thaw(PoolReport? report) => State.Freeze is not { } freeze || report is null ? State.Freeze
        : report.Timeline.Buckets.TimeOf(report.Timeline.Buckets.FirstIndex) > freeze.Shown.Timeline.Now ? null
        : freeze with { Newest = report };

    ViewState Copy(Scene shown)
    {
        if (ClipText.Of(shown) is not { } text)
        {
            return State with { Flash = "Nothing is selected to copy." };
        }

        Copied?.Invoke(text);
        return State with { Flash = $"Asked the terminal to copy {Format.Plural(text.Length, "character")}; some terminals refuse." };
    }

    // Returns the value ranges for the lanes to keep. While the screen follows the newest data, ranges rarely shrink; else none are kept.
    LaneScales Hold() => Columns > 0 && State.Follows && Scene is { } shown
        ? State.Held.Follow(LaneScales.Of(FoldedTimeline.Of(shown.Timeline.Buckets, shown.Window(Columns))))
        : LaneScales.Empty;

    static bool IsSame(PoolReport? a, PoolReport? b) =>
        ReferenceEquals(a, b) || a is not null && b is not null && a.End == b.End && a.Timeline.Now == b.Timeline.Now
            && a.InjectionDelays == b.InjectionDelays
        && a.Headline == b.Headline;
}

/// <summary>Messages about requested stack samples, shown in every view.</summary>
static class StackSamplingStatus
{
    /// <summary>Time for which a new message stays on the screen: long enough to be read twice.</summary>
    static readonly TimeSpan NewsFor = TimeSpan.FromSeconds(15);

    /// <summary>Returns the state with the newest message about stack samples, and with what the user can request.</summary>
    public static ViewState In(ViewState state, IProbeSwitch? probes, PoolReport? newest, TimeProvider time)
    {
        var (stacks, items) = (probes?.Of(OptionalProbe.Stacks), probes?.Of(OptionalProbe.Items));
        var may = stacks is { On: false, WhyNot: null };
        return Said(state, stacks?.Says, time) with
        {
            TakesStacks = stacks is { On: true, WhyNot: null },
            MayTakeStacks = may,
            MayMeasureItems = items is { On: false, WhyNot: null },
            OffersStacks = may && newest is { End: SessionEnd.StillOpen, Blockers: null } report
                && ((report.IsNow && report.Verdict.IsTrouble()) || report.Verdict == Verdict.Compensated
                    || (report.Verdict == Verdict.Undecided && HiddenQueue.IsUnclear(report.Timeline, report.MayHang))),
        };
    }

    // A new message is shown in every view for NewsFor; the view of the stacks goes on showing the message.
    static ViewState Said(ViewState state, string? says, TimeProvider time) =>
        says is not null && says != state.Probing ? state with { Probing = says, ProbingAt = time.GetTimestamp(), Flash = says }
        : says is not null && says == state.Flash && time.GetElapsedTime(state.ProbingAt) > NewsFor ? state with { Flash = null }
        : state with { Probing = says };
}

/// <summary>The finding, stack or event under the cursor as plain text, for a chat or a ticket.</summary>
static class ClipText
{
    /// <summary>Width of the text in columns.</summary>
    const int Width = 100;

    /// <summary>Maximum length of the text, characters: more than a finding or an event needs, and less than terminals accept.</summary>
    public const int Longest = 16_000;

    /// <summary>Returns the text without control characters, cut to <see cref="Longest"/>; null when nothing is selected.</summary>
    public static string? Of(Scene scene)
    {
        var lines = scene.State.View switch
        {
            ViewName.Findings => Finding(scene),
            ViewName.Stacks => Stack(scene),
            ViewName.Overview when scene.State.Simulated is { } answer => WhatIfPanel.Texts(answer)
                .SelectMany(t => TextBlock.Labelled(t.Label, t.Text, 8, Width)).Select(l => l.Text)
                .Prepend($"what if {answer.Change.Words}").Prepend(Where(scene)),
            _ => Event(scene),
        };
        var text = string.Join('\n', lines.Select(l => Clean(l).TrimEnd()));
        return text.Length == 0 ? null : text.Length <= Longest ? text + "\n" : text[..Longest];
    }

    static IEnumerable<string> Finding(Scene scene)
    {
        if (FindingRow.Under(scene) is not { } row)
        {
            return [];
        }

        var title = row.Found is { } found
            ? $"{found.Id} {found.Severity.ToString().ToLowerInvariant()}: {found.Title}"
            : $"{row.Id} undecided";
        // The recipient of the copied text cannot press keys of this screen, so the text names commands instead of keys.
        var elsewhere = scene with { State = scene.State with { MayTakeStacks = false } };
        return FindingText.Of(row, elsewhere, Width).Select(l => l.Text).Prepend(title).Prepend(Where(scene));
    }

    static IEnumerable<string> Stack(Scene scene) => BlockerRow.Under(scene) is { } row
        ? BlockerPanel.Stack(row, scene, int.MaxValue).Select(l => l.Text)
            .Prepend($"{Format.Percent(row.Share)} of the samples, {row.Kind.ToString().ToLowerInvariant()}: {row.Place}")
            .Prepend(Where(scene))
        : [];

    static IEnumerable<string> Event(Scene scene) => ActionReducer.Under(scene) is { } delay
        ? DelayDetail.Lines(scene, delay, Width).Select(l => l.Text)
            .Prepend(FormattableString.Invariant($"#{delay.Number} ") + DelayText.Facts(delay, scene, Width)).Prepend(Where(scene))
        : [];

    static string Where(Scene scene) =>
        $"{scene.Timeline.Target.Name} pid {Words.Pid(scene.Timeline.Target)}, capture from {Format.Utc(scene.Timeline.StartUtc)}";

    static string Clean(string text) => new([.. text.Where(c => !char.IsControl(c))]);
}
