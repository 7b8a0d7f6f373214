using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>The screen while tpwatch waits for a process to start: time waited, result of the last search, and time limit.</summary>
sealed class ProcessWaitWindow : Runnable
{
    readonly AwaitedProcess what;
    readonly TimeProvider time;
    readonly long began;
    readonly DrawingView picture;
    (long Seconds, string LastTry) shown;

    public ProcessWaitWindow(AwaitedProcess what, Look look, TimeProvider time)
    {
        (this.what, this.time, began) = (what, time, time.GetTimestamp());
        var looks = new Looks(look);
        (Width, Height, CanFocus) = (Dim.Fill(), Dim.Fill(), true);
        SetScheme(looks[Role.Text]);
        picture = new(() => looks, pane => FullScreenMessages.WaitingFor(pane, this.what, shown.Seconds * 1000.0))
        {
            Width = Dim.Fill(), Height = Dim.Fill(),
        };
        Add(picture);
    }

    /// <summary>Draws the screen again when the seconds or the result of the last search have changed.</summary>
    public void Tick()
    {
        var before = shown;
        shown = ((long)time.GetElapsedTime(began).TotalSeconds, what.LastTry);
        if (shown != before)
        {
            picture.SetNeedsDraw();
        }
    }

    protected override bool OnKeyDown(Key key)
    {
        if (Bindings.Of(key, ViewName.Overview) == UiAction.Quit)
        {
            App?.RequestStop();
        }

        return true;
    }
}

/// <summary>Full-screen messages that replace a view.</summary>
static class FullScreenMessages
{
    /// <summary>The steps that follow once the process has started.</summary>
    static readonly ImmutableArray<string> StillToCome = ["diagnostic port opened", "event session started", "first thread-pool event"];

    public static void TooSmall(Pane pane, Scene scene, int width, int height)
    {
        var report = scene.Report;
        pane.Put(0, 0, FormattableString.Invariant($"tpwatch needs {width}x{height}"), Role.Title);
        pane.Put(0, 1, FormattableString.Invariant($"now {pane.Width}x{pane.Height}: enlarge"));
        pane.Put(0, 2, TextFit.Fit(LatestValueTexts.Short(scene.Timeline.Levels), pane.Width));
        pane.Put(0, 3, $"{VerdictWords.Of(report.Verdict)}{VerdictWords.HowLong(report)}  q quit");
    }

    /// <summary>Draws the wait for a process that has not started; <paramref name="forMs"/> is the time waited, milliseconds.</summary>
    public static void WaitingFor(Pane pane, AwaitedProcess what, double forMs)
    {
        pane.Put(1, 0, "tpwatch", Role.Title);
        pane.Put(11, 0, TextFit.Cut($"waiting for \"{what.Name}\" to start", pane.Width - 33));
        pane.PutEndingAt(pane.Width - 1, 0, $"{Format.Clock(forMs)}   q quit");
        pane.Put(3, 2, $"o  process found               no    looking every {Format.Duration(what.Every.TotalMilliseconds)}");
        for (var i = 0; i < StillToCome.Length; i++)
        {
            pane.Put(3, 3 + i, $".  {StillToCome[i],-27}-", Role.Faint);
        }

        var lines = TextFit.Wrap($"{(what.LastTry.Length > 0 ? $"Last look: {what.LastTry.TrimEnd('.')}. " : "")}tpwatch gives up after "
            + $"{Format.Duration(what.Limit.TotalMilliseconds)} (--timeout).", pane.Width - 2, 4);
        for (var i = 0; i < lines.Count; i++)
        {
            pane.Put(1, 7 + i, lines[i]);
        }
    }

    public static void Waiting(Pane pane)
    {
        pane.Put(1, 0, "tpwatch", Role.Title);
        pane.Put(1, 2, "Attached. Waiting for the first event of the process.");
        pane.Put(1, 3, "The first counter sample comes after a second or two.");
        pane.Put(1, 5, "q quits and leaves the process untouched.", Role.Faint);
    }
}
