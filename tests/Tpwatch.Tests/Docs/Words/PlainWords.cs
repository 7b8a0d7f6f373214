using System.Text.RegularExpressions;

namespace Tpwatch.Tests.Docs.Words;

/// <summary>The rules for what users read that a program can check; each breach names the sentence.</summary>
static partial class PlainWords
{
    /// <summary>More of them are not taken in at once by somebody who has been woken up.</summary>
    public const int MostWords = 20;

    const int MostNumbers = 2;

    /// <summary>A word that is not for users, and what to say: one thing has one name, and that of Microsoft's documentation.</summary>
    static readonly (Regex Word, string Instead)[] Forbidden =
    [
        (new(@"\b(?:asleep|eaten|echo|walls?|veto|born)\b", RegexOptions.IgnoreCase), "no metaphors"),
        (new(@"\bnobody\b|\bhad to come\b", RegexOptions.IgnoreCase), "the pool, a worker thread, the lock"),
        (new(@"\bworkers?\b(?! threads?\b)", RegexOptions.IgnoreCase), "worker thread"),
        (new(@"\bbacklogs?\b", RegexOptions.IgnoreCase), "queue length"),
        (new(@"\bheartbeats?\b", RegexOptions.IgnoreCase), "counter sample"),
        (new(@"\b(?:ticks?|looks? of the gate)\b", RegexOptions.IgnoreCase), "gate check"),
        (new(@"\bgaps?\b", RegexOptions.IgnoreCase), "injection delay"),
        (new(@"\bgoals?\b", RegexOptions.IgnoreCase), "target thread count"),
        (new(@"\bceiling\b|\bmax\b(?! and\b)|(?<!\d )\bmin\b", RegexOptions.None), "MinThreads, MaxThreads"),
        (new(@"\bsilent(?:ly)? starv(?:ation|ed)\b", RegexOptions.None), "undetected starvation"),
        (new(@"\bfits\b", RegexOptions.IgnoreCase), "as expected"),
        (new(@"\b(?:decisions?|hill[- ]climbing moves?)\b", RegexOptions.IgnoreCase), "thread count adjustment"),
        (new(@"\bunknown instead of\b|\? instead of\b|\? \(unknown\)|\bpid \?|\.NET \?", RegexOptions.IgnoreCase),
            "leave out what is not known"),
        (new(@"\bfor which no item\b", RegexOptions.IgnoreCase), "what the item did, with a noun"),
        (new(@"\b(?:[Ii]t|[Tt]hat) is over\b|(?<![Tt]he )\b[Dd]ata stays\b"), "what is over, with its noun"),
        (new(@"\b0\.0 ms \(measured|(?<!\d)(\d[\d. ]*(?: (?:ms|s))?) \(measured: \1\)"), "under 1 ms; or: as measured"),
        (new(@"\bcould not decide, because data is missing\b", RegexOptions.IgnoreCase), "what is missing, and what to do"),
        (new(@"\bjudgements?\b", RegexOptions.IgnoreCase), "judgment"),
        (new(@"(?<![\w.,] ?)1 (?:worker |gate |work |thread )?"
            + @"(?:adjustment|burst|check|event|item|processor|request|sample|thread|time)s\b"), "the singular of one"),
        (new(@"(?<![\d.] ?)\b(\d[\d. ]* (?:ms|s|min|threads|items)) to \1\b"), "a range of one value once"),
    ];

    public static IEnumerable<string> Breaches(string sentence)
    {
        foreach (var breach in InWording(sentence))
            yield return breach;
        var words = sentence.Split(' ', StringSplitOptions.RemoveEmptyEntries).Count(word => word.Any(char.IsLetterOrDigit));
        if (words > MostWords)
            yield return $"{words} words, at most {MostWords}: {sentence}";
        if (Number.Count(Version.Replace(sentence, "")) is > MostNumbers and var numbers)
            yield return $"{numbers} numbers, at most {MostNumbers}: {sentence}";
    }

    /// <summary>Of a line that is no sentence, such as a row of figures: its words and how its numbers are rounded.</summary>
    public static IEnumerable<string> InWording(string sentence)
    {
        if (Unrounded.IsMatch(sentence))
            yield return $"a number that is not rounded: {sentence}";
        foreach (var (word, instead) in Forbidden)
            if (word.Match(sentence) is { Success: true, Value: var found })
                yield return $"'{found}', say {instead}: {sentence}";
    }

    /// <summary>Versions are names (.NET 8, 9 and 10), and minutes with their seconds are one number.</summary>
    [GeneratedRegex(@"\.NET \d+(?:\.\d+)*(?:(?:,| and| or| to) \d+)*|\b\d+\.\d+\.\d+\b|(?<=\d) (?:min|h) (?=\d)")]
    static partial Regex Version { get; }

    [GeneratedRegex(@"(?<![\w.])\d+(?:[ .]\d+)*")]
    static partial Regex Number { get; }

    [GeneratedRegex(@"\d\.\d{3,}")]
    static partial Regex Unrounded { get; }
}
