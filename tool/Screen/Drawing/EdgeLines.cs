using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>The first row. Left: target, runtime, processors, MinThreads, MaxThreads. Right: state, elapsed time, lost events.</summary>
static class HeaderLine
{
    const int WideScreen = 100;

    const string Live = "LIVE";

    /// <summary>Maximum length of a target's name; a longer name is cut to leave room for the rest of the line.</summary>
    const int LongestName = 32;

    public static void Draw(Pane line, Scene scene)
    {
        var right = Right(scene);
        line.PutEndingAt(line.Width - 1, 0, right);
        var room = line.Width - right.Length - 4;
        var x = line.Put(1, 0, "tpwatch", Role.Title) + (line.Width >= WideScreen ? 2 : 1);
        var target = scene.Timeline.Target;
        line.Put(x, 0, line.Width >= WideScreen
            ? FitLong([.. Long(target, Min(scene)).Where(p => p.Length > 0)], room - x)
            : TextFit.Fit(Short(target, Min(scene)), room - x, " "));
    }

    // Joins the parts with two blanks, or with one blank if the last part would not fit otherwise.
    static string FitLong(IReadOnlyList<string> parts, int room) =>
        TextFit.Fit(parts, room, TextFit.Fit(parts.SkipLast(1), room).Length + 2 + parts[^1].Length <= room ? "  " : " ");

    static IEnumerable<string> Long(TargetFacts target, string min) =>
    [
        TextFit.Cut(target.Name, LongestName), target.Pid == 0 ? "" : $"pid {Words.Pid(target)}", Runtime(target), Platform(target),
        Known(target.Processors, " cpu"), $"{Limit("min", min)} {Limit("max", Value(target.MaxWorkers))}".Trim(),
    ];

    static IEnumerable<string> Short(TargetFacts target, string min) =>
    [
        TextFit.Cut(target.Name, LongestName / 2) + (target.Pid == 0 ? "" : $":{Words.Pid(target)}"), Runtime(target),
        Known(target.Processors, "cpu"),
        Limit("min", min), Limit("max", Value(target.MaxWorkers)),
    ];

    // Returns a limit with its name; empty for an unknown limit, which the key i lists.
    static string Limit(string name, string value) => value == "?" ? "" : $"{name} {value}";

    // Returns MinThreads as text; an asterisk marks a value that the user assumed.
    static string Min(Scene scene) => Value(scene.Timeline.Target.MinWorkers) + (scene.State.Min is null ? "" : "*");

    static string Right(Scene scene)
    {
        var timeline = scene.Timeline;
        var state = State(scene);
        // Without "for" or "at" the elapsed time would be read as the time of day.
        return $"{state} {(state == Live ? "for" : "at")} {Format.Clock(timeline.Now.MsSince(timeline.Start))}  "
            + $"loss {Loss(timeline.Quality)}";
    }

    static string State(Scene scene) => scene.State.Freeze is not null ? "FROZEN" : scene.Report.End switch
    {
        SessionEnd.TargetExited or SessionEnd.TargetKilled => "EXITED",
        SessionEnd.StreamBroken or SessionEnd.RecordingBroken => "BROKEN",
        SessionEnd.StoppedByUs => "ENDED",
        SessionEnd.EndOfRecording => scene.State.Playing ?? "REPLAY",
        _ => scene.Timeline.Source == SessionSource.Recording ? scene.State.Playing ?? "REPLAY" : Live,
    };

    static string Loss(CaptureQuality quality) => quality.LossUnknown ? "some" : Format.Brief(quality.Lost);

    static string Runtime(TargetFacts target) => target.RuntimeVersion is { } version ? $".NET {version}" : "";

    static string Platform(TargetFacts target) =>
        string.Join('-', new[] { target.Os, target.Architecture }.OfType<string>()).ToLowerInvariant();

    static string Known(SourcedValue value, string unit) => value.Value is null ? "" : Value(value) + unit;

    static string Value(SourcedValue value) =>
        value.Value is { } known ? known.ToString(System.Globalization.CultureInfo.InvariantCulture) : "?";
}

/// <summary>A hint: one key or several related keys, and their effect.</summary>
/// <param name="Keys">The keys as the hint line writes them.</param>
/// <param name="Action">The action of a click on the words or on the last key.</param>
readonly record struct KeyHint(string Keys, string Does, UiAction Action)
{
    /// <summary>The action of a click on the first of two keys.</summary>
    public UiAction First { get; init; } = Action;

    /// <summary>Whether the hint is an offer for the current situation, rather than a plain hint.</summary>
    public bool IsOffer { get; init; }
}

/// <summary>Selects, from the table of bindings, the most useful keys that fit into the last row of the screen.</summary>
static class HintLine
{
    public const int Between = 2;
    const string Probe = "t";
    const string Sort = "c";

    // Texts for the next effect of the key t.
    const string Items = "measure items";

    const string Stacks = "take stacks";
    const string Stop = "stop taking stacks";

    /// <summary>
    /// Returns the hints that fit into a width. If <paramref name="offer"/> is not null, it is the text for the key <c>t</c>. That key then
    /// comes first on all views where the key takes stacks.
    /// </summary>
    public static IEnumerable<KeyHint> Of(Scene scene, int width, string? offer)
    {
        var (left, view) = (width, scene.State.View);
        var offers = offer is not null && view != ViewName.Latency;
        if (offers)
        {
            yield return new(Probe, $": {offer}", UiAction.Probe) { IsOffer = true };
            left -= Probe.Length + offer!.Length + 2 + Between;
        }

        foreach (var binding in Fitting(left, view, b => Hint(b, scene)).Where(b => !offers || b.Show != Probe))
        {
            yield return new(binding.Show, binding.Hint, binding.Keys[^1].Action) { First = binding.Keys[0].Action };
        }
    }

    /// <summary>Returns the bindings that fit, in table order; those with the smallest <see cref="Binding.Keep"/> are left out.</summary>
    public static IReadOnlyList<Binding> Fitting(int width, ViewName view, Func<Binding, string> hint)
    {
        var shown = Bindings.All.Where(b => b.IsHintedOn(view))
            .Select(b => b with { Hint = hint(b) }).Where(b => b.Hint.Length > 0).ToList();
        while (shown.Count > 0 && shown.Sum(b => b.Show.Length + 1 + b.Hint.Length + Between) - Between > width)
        {
            shown.Remove(shown.MinBy(b => b.Keep)!);
        }

        return shown;
    }

    static string Hint(Binding binding, Scene scene) => binding.Show switch
    {
        // Stacks of a healthy pool show no problem, so the key t is hinted only on the views that show stacks or item times.
        Probe when scene.Report.Verdict == Verdict.Healthy
            && scene.State is { TakesStacks: false, View: not (ViewName.Stacks or ViewName.Latency) } => "",
        Probe => Next(scene.State),
        Sort when scene.State.View == ViewName.Stacks => scene.Report.Blockers is not { IsDefaultOrEmpty: false } ? ""
            : scene.State.Show.ByKind ? "by frame" : "by kind",
        _ => binding.Hint,
    };

    // Returns the next effect of the key t; empty where the key is not available.
    static string Next(ViewState state) => state.View == ViewName.Latency ? state.MayMeasureItems ? Items : ""
        : state.TakesStacks ? Stop : state.MayTakeStacks ? Stacks : "";
}

/// <summary>The last rows of the screen: the message about the last command, else the keys.</summary>
static class FootLine
{
    /// <summary>The hint that offers the key <c>t</c> for stack samples while items wait.</summary>
    public const string StackOffer = $"take stacks every 5 s (each a pause of about {DepthPrice.BurstMs} ms)";

    /// <summary>Maximum number of rows of a message. While a message takes several rows, the view above has fewer.</summary>
    const int MostRows = 4;

    /// <summary>Returns the lines of the message about the last command; none while keys are shown.</summary>
    public static IReadOnlyList<string> Said(ViewState state, int width) =>
        state.Flash is { } flash ? TextFit.Wrap(flash, width - 2, MostRows) : [];
}
