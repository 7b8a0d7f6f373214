using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>
/// Draws an injection delay to scale: the time from the pool's last progress to the end of the delay, what each gate check read, and the
/// times that the rule allows. CSS classes have one letter, because a page has hundreds of these drawings.
/// </summary>
sealed class DelaySvg(InjectionDelay delay, EventTime start)
{
    const double Left = 84;
    const double Right = 668;
    const double Width = 760;

    /// <summary>Minimum distance between two texts, SVG units; closer texts would overlap.</summary>
    const double TextWidth = 52;

    readonly double observedMs = delay.End.MsSince(start);
    readonly double wholeMs = DelayScale.WholeMs(delay, delay.End.MsSince(start));
    double y = 13;

    /// <summary>Returns the drawing; empty if the start of the delay is not known.</summary>
    public static Markup Draw(InjectionDelay delay) =>
        delay.Start is { } start && delay.End > start ? new DelaySvg(delay, start).Draw() : Markup.None;

    /// <summary>Returns the content of the drawing in words, for screen readers.</summary>
    public static string Described(InjectionDelay delay)
    {
        var checks = delay.Ticks.Select((t, i) => FormattableString.Invariant(
            $"gate check {i + 1}{(delay.Start is { } s ? $" at {Format.Ms(t.At.MsSince(s))}" : "")}: {Read(t)}, {Adds(t)}"));
        var windows = delay.Windows.Select(Range);
        return $"{Format.Ms(delay.ObservedMs ?? 0)} observed"
            + (delay.Windows.IsEmpty ? "" : $"; allowed {string.Join(", ", windows)} ms")
            + (delay.Ticks.IsEmpty ? "" : $"; {string.Join("; ", checks)}");
    }

    Markup Draw()
    {
        Markup[] rows = [Observed(), Ticks(), Allowed()];
        return Markup.Of($"<svg class=\"g\" viewBox=\"0 0 760 {y - 9}\" role=\"img\" aria-label=\"{Described(delay)}\">{rows}</svg>");
    }

    Markup Observed()
    {
        var at = y;
        y += 20;
        return Markup.Of(
            $"<text y=\"{at}\">observed</text><path class=\"o\" d=\"M{Left} {at - 9}v10m0-5H{X(observedMs)}"
                + $"{(delay.Verdict == DelayVerdict.Open ? "l-4-3m4 3l-4 3" : "m0-5v10")}\"/><text class=\"e\" x=\"{Width}\" y=\""
                + $"{at}\">{Format.Ms(observedMs)}</text>");
    }

    Markup Ticks()
    {
        if (delay.Ticks.IsEmpty)
        {
            return Markup.None;
        }

        var at = y;
        y += 40;
        var pieces =
            new List<Markup>
            {
                Markup.Of($"<text y=\"{at}\">gate checks</text><path class=\"r\" d=\"M{Left} {at - 4}H{X(observedMs)}\"/>"),
            };
        var free = double.PositiveInfinity;
        // The last checks are drawn first, because they decide the delay. If a text would overlap the next one, only the dot is drawn.
        foreach (var check in delay.Ticks.Reverse())
        {
            var x = X(check.At.MsSince(start));
            pieces.Add(Markup.Of($"<circle{Fired(check)} cx=\"{x}\" cy=\"{at - 4}\" r=\"3\"/>"));
            if (free - x >= TextWidth)
            {
                free = x;
                pieces.Add(Markup.Of($"<text class=\"m\" x=\"{x}\" y=\"{at + 10}\">{Since(check)}</text><text class=\"m\" x=\""
                    + $"{x}\" y=\"{at + 20}\">{Adds(check)}</text>"));
            }
        }

        return Markup.Join(pieces);
    }

    Markup Allowed()
    {
        var windows = delay.Windows.Where(w => w.MinMs <= wholeMs).ToList();
        if (windows.Count == 0)
        {
            return Markup.None;
        }

        var at = y;
        y += 20;
        var free = double.PositiveInfinity;
        var pieces = new List<Markup> { Markup.Of($"<text y=\"{at}\">allowed, ms</text>") };
        foreach (var window in windows.AsEnumerable().Reverse())
        {
            var (from, to) = (X(window.MinMs), X(Math.Min(window.MaxMs, wholeMs)));
            pieces.Add(Markup.Of($"<rect{(Hit(window) ? new Markup(" class=\"y\"") : Markup.None)} x=\"{from}\" y=\"{at - 9}\" width=\""
                + $"{Math.Max(3, to - from)}\" height=\"5\"/>"));
            if (free - from >= TextWidth + 14)
            {
                free = from;
                pieces.Add(Markup.Of($"<text class=\"m\" x=\"{(from + to) / 2}\" y=\"{at + 6}\">{Range(window)}</text>"));
            }
        }

        var word = delay.Verdict == DelayVerdict.Open ? "ahead" : delay.Windows.Any(Hit) ? "hit" : "missed";
        return Markup.Of($"{pieces}<text class=\"e\" x=\"{Width}\" y=\"{at}\">{word}</text>");
    }

    bool Hit(DelayWindow window) => delay.Verdict != DelayVerdict.Open && observedMs >= window.MinMs && observedMs <= window.MaxMs;

    static Markup Fired(GateCheck check) => check.Fired ? new(" class=\"f\"") : Markup.None;

    static string Since(GateCheck check) => check.SinceDequeueMs is { } ms ? Format.Ms(ms) : "?";

    static string Read(GateCheck check) =>
        $"{Since(check)} since {RestartWord.Of(check.IsByDispatch)}"
        + (check.Cpu is { } cpu && double.IsFinite(cpu) ? $", cpu {Format.Percent(cpu)}" : "");

    static string Adds(GateCheck check) => check.Fired ? "adds one" : check.Sure ? "no" : "no?";

    static string Range(DelayWindow window) =>
        double.IsFinite(window.MaxMs)
            ? FormattableString.Invariant($"{window.MinMs:0}..{window.MaxMs:0}")
            : FormattableString.Invariant($"{window.MinMs:0}..");

    double X(double ms) => Left + Math.Clamp(ms / wholeMs, 0, 1) * (Right - Left);
}

/// <summary>Returns CSS classes of an injection delay for the HTML page.</summary>
static class DelayCssClasses
{
    /// <summary>Returns the CSS class for the reason of the adjustment, or for the kind of wait if there was no adjustment.</summary>
    public static string Of(InjectionDelay delay) => DelayMark.Of(delay).Role switch
    {
        Role.Starvation or Role.Alarm => "is-starvation",
        Role.Blocking => "is-blocking",
        Role.Climbing => "is-climbing",
        _ => "is-other",
    };

    public static string OfVerdict(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => "is-fit",
        DelayVerdict.Early or DelayVerdict.Late or DelayVerdict.NoRule => "is-misfit",
        _ => "is-other",
    };

    /// <summary>Whether the page draws the delay: a wait with a known start, but no timeout and no thread created on demand (G0).</summary>
    public static bool IsDrawn(InjectionDelay delay) =>
        delay.IsWait && delay.Start is not null && DelayMark.HasMark(delay) && delay.Reason is not AdjustmentReason.ThreadTimedOut;
}
