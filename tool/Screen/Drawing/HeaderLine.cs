using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>The first row: target, runtime, processors, MinThreads and MaxThreads; state, elapsed time, lost events.</summary>
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

    // The parts move closer together before the last one is left out.
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

    // Unknown values are left out; key i lists them.
    static string Limit(string name, string value) => value == "?" ? "" : $"{name} {value}";

    // An asterisk marks a value assumed by the user, not observed.
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
