using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// Something that must be known before the picture is believed. It takes the place of the status line and pushes nothing down.
/// </summary>
/// <param name="Word">One upper-case word: it works without colour.</param>
/// <param name="Text">The rest of the sentence.</param>
/// <param name="Brief">The same where there is little room.</param>
/// <param name="Role">The word's look.</param>
sealed record Banner(string Word, string Text, string Brief, Role Role)
{
    const int LongestName = 24;

    /// <summary>All that apply, the most severe first.</summary>
    public static IEnumerable<Banner> Of(Scene scene, TimeWindow window) => new[]
    {
        Ended(scene),
        Lost(scene.Timeline, window),
        scene.State.Notice is { } notice ? FromOutside(notice) : null,
        Frozen(scene.State.Freeze),
    }.OfType<Banner>();

    static Banner? Ended(Scene scene)
    {
        var target = TextFit.Cut(scene.Timeline.Target.Name, LongestName);
        return scene.Report.End switch
        {
            SessionEnd.TargetExited => Exited($"{target} ended"),
            SessionEnd.TargetKilled => Exited($"{target} was killed"),
            SessionEnd.StreamBroken => new(
                "BROKEN", "The event stream broke; the process still runs. All data is kept.", "The event stream broke", Role.Alarm),
            SessionEnd.RecordingBroken => new(
                "BROKEN", "The recording is incomplete. It ends here.", "The recording is incomplete", Role.Alarm),
            _ => null,
        };
    }

    static Banner Exited(string text) => new("EXITED", $"{text}. R waits for a restart", text, Role.Selection);

    // Only while the stretch is on the screen: later it is history, and the header still counts it.
    static Banner? Lost(TimelineSnapshot timeline, TimeWindow window)
    {
        if (!timeline.Quality.LossSpans.Any(s => s.Touches(window.Span)))
        {
            return null;
        }

        var span = timeline.Quality.LossSpans.Last(s => s.Touches(window.Span));
        var count = timeline.Quality.LossUnknown ? "events" : Format.Plural(timeline.Quality.Lost, "event");
        var (from, to) = (Format.Clock(span.From.MsSince(timeline.Start), tenths: true),
            Format.Clock(span.To.MsSince(timeline.Start), tenths: true));
        return new("LOST", $"{count} at {from}..{to}, L: details", $"{count}, L: details", Role.Alarm);
    }

    static Banner FromOutside(string notice)
    {
        var words = notice.Split(' ');
        var upper = words.TakeWhile(w => w.Length > 1 && w.All(char.IsAsciiLetterUpper)).Count();
        var word = string.Join(' ', words.Take(Math.Max(1, upper)));
        var text = notice[word.Length..].TrimStart();
        return new(word, text, text.Split(". ")[0], Role.Alarm);
    }

    static Banner? Frozen(Freeze? freeze)
    {
        if (freeze is null)
        {
            return null;
        }

        var (shown, newest) = (freeze.Shown.Timeline, freeze.Newest.Timeline);
        var gaps = freeze.Newest.Gaps.Count(g => GapMark.HasMark(g) && g.End > shown.Now);
        var behind = Format.Duration(newest.Now.MsSince(shown.Now));
        var missed = $"for {behind}, {Format.Plural(gaps, "new mark")}";
        return new("VIEW FROZEN", $"{missed}; space resumes", missed, Role.Selection);
    }
}
