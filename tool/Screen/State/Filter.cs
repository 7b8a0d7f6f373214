using Tpwatch.Text;

namespace Tpwatch.Screen.State;

/// <summary>
/// Matches rows against the words typed after <c>/</c>; a row must match every word. A word is <c>S</c> or <c>reason:S</c>,
/// <c>verdict:late</c>, <c>rule:G2</c>, <c>delay&gt;900</c>, <c>queue&lt;5</c>, <c>cpu&gt;80</c>, or a part of any text of the row. An
/// exclamation mark before a word inverts the word.
/// </summary>
static class Filter
{
    public static bool Matches(string filter, InjectionDelay delay) => Terms(filter).All(t => Term(t, word => One(word, delay)));

    public static bool Matches(string filter, Finding finding) =>
        Terms(filter).All(t => Term(t, word => Has($"{finding.Id} {finding.Severity} {finding.Title} {finding.Headline}", word)));

    public static bool Matches(string filter, Undecided undecided) =>
        Terms(filter).All(t => Term(t, word => Has($"{undecided.Id} undecided {undecided.Missing}", word)));

    static string[] Terms(string filter) => filter.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    static bool Term(string term, Func<string, bool> matches) =>
        term is ['!', .. var rest] ? rest.Length == 0 || !matches(rest) : matches(term);

    static bool One(string word, InjectionDelay delay)
    {
        var mark = DelayMark.Of(delay);
        if (Compare(word, delay) is { } compared)
        {
            return compared;
        }

        var colon = word.IndexOf(':', StringComparison.Ordinal);
        var (field, value) = colon < 0 ? ("", word) : (word[..colon].ToUpperInvariant(), word[(colon + 1)..]);
        var letter = value.Length == 1 && value[0] == mark.Letter;
        return field switch
        {
            "REASON" => value.Length == 1 ? letter : Has(mark.Name, value),
            "VERDICT" => Has($"{DelayWords.Of(delay)} {Words.Of(delay.Verdict)}", value),
            "RULE" => value.Equals(Words.CodeOrNothing(delay.Mechanism), StringComparison.OrdinalIgnoreCase)
                || Has(DelayWords.Rule(delay.Mechanism), value),
            _ => word.Length == 1 && char.IsAsciiLetterUpper(word[0])
                ? letter
                : Has($"#{delay.Number} {mark.Name} {DelayWords.Of(delay)} {Words.Of(delay.Verdict)} "
                    + $"{Words.CodeOrNothing(delay.Mechanism)} {DelayWords.Rule(delay.Mechanism)} {delay.Because}", word),
        };
    }

    // Returns null where the word is not a comparison. An unknown value is neither above nor below any limit.
    static bool? Compare(string word, InjectionDelay delay)
    {
        var at = word.IndexOfAny(['<', '>']);
        if (at <= 0 || !double.TryParse(word[(at + 1)..].TrimEnd('m', 's', '%'), CultureInfo.InvariantCulture, out var limit))
        {
            return null;
        }

        (bool Known, double? Value) field = word[..at].ToUpperInvariant() switch
        {
            "GAP" or "DELAY" => (true, delay.ObservedMs),
            "QUEUE" => (true, delay.QueueLength),
            "GOAL" or "TARGET" => (true, delay.TargetThreadsAfter),
            "CPU" => (true, delay.Cpu * 100),
            _ => (false, null),
        };
        return field.Known ? field.Value is { } value && (word[at] == '>' ? value > limit : value < limit) : null;
    }

    static bool Has(string text, string word) => text.Contains(word, StringComparison.OrdinalIgnoreCase);
}
