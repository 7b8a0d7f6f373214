namespace Tpwatch.Text;

/// <summary>
/// The report's table of injection delays: the most important ones (not as expected first, then the longest) in order of time.
/// </summary>
static class DelayTableRenderer
{
    /// <summary>Most rows of the table: it fits on a screen together with the verdict.</summary>
    public const int MaxRows = 20;

    const int SentenceIndent = 7;

    /// <summary>The lines of the section; none if there was no delay.</summary>
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time)
    {
        var shown = MostTelling(report);
        if (shown.Count == 0)
        {
            yield break;
        }

        foreach (var line in TextLayout.Wrap($"Injection delays: {DelayWords.Tally(report.Tally)}"))
        {
            yield return line;
        }

        yield return Row(
            "#", time == TimeStyle.Utc ? "time (UTC)" : "time (s)", "reason", "target", ["delay", "check", "judgment", "cpu", "queue"]);
        var explained = new HashSet<Mechanism>();
        foreach (var delay in shown)
        {
            yield return Row(delay, report, time);
            // A delay as expected is explained once per rule, any other each time.
            foreach (var line in explained.Add(delay.Mechanism) || DelayFields.AsksWhy(delay) ? Why(delay) : [])
            {
                yield return line;
            }
        }

        foreach (var line in Foot(report, shown))
        {
            yield return line;
        }
    }

    static List<InjectionDelay> MostTelling(PoolReport report) =>
        DelayFields.MostTellingFirst(report.InjectionDelays).Take(MaxRows).OrderBy(g => g.End).ThenBy(g => g.Number).ToList();

    static string Row(InjectionDelay delay, PoolReport report, TimeStyle time) =>
        Row(delay.Number.ToString(CultureInfo.InvariantCulture),
            time.Clock(report.Timeline, delay.End), DelayWords.EndedBy(delay), DelayFields.TargetThreads(delay),
            [DelayFields.Length(delay), DelayFields.Tick(delay)
                ?? "", DelayFields.Judged(delay), DelayFields.Cpu(delay), DelayFields.Queue(delay)]);

    static string Row(string number, string at, string what, string targetThreads, string[] rest) =>
        $"{number,5}  {at,-12}  {what,-19}  {targetThreads,-12} {rest[0],8}  {rest[1],-5}  {rest[2],-14} {rest[3],4}  {rest[4],6}"
            .TrimEnd();

    static IEnumerable<string> Why(InjectionDelay delay)
    {
        var checks = DelayFields.UntoldChecks(delay) is { } earlier ? " " + Sentence.Of(earlier) : "";
        var sentence = Words.OneLine(delay.Because) + checks;
        return sentence.Length == 0 ? [] : TextLayout.Wrap(sentence, SentenceIndent);
    }

    static IEnumerable<string> Foot(PoolReport report, List<InjectionDelay> shown)
    {
        if (report.InjectionDelays.Length > shown.Count)
        {
            yield return $"       {Format.Count(report.InjectionDelays.Length - shown.Count)} less important rows left out; "
                + "--format json has every row";
        }

        if (report.Evicted > 0)
        {
            yield return $"       {Format.Count(report.Evicted)} older delays not listed (discarded to limit memory use); "
                + "the totals include them";
        }

        string[] codes = [.. shown.Select(g => g.Mechanism).Distinct().Order().Select(Words.Code).OfType<string>()];
        foreach (var line in codes.Length == 0 ? [] : TextLayout.Wrap(Codes(codes), SentenceIndent))
        {
            yield return line;
        }
    }

    static string Codes(string[] codes) => codes.Length == 1
        ? $"To read about {codes[0]}, run dotnet tpwatch rules {codes[0]}."
        : $"To read about {string.Join(", ", codes[..^1])} or {codes[^1]}, run dotnet tpwatch rules CODE.";
}
