using Tpwatch.Diagnosis;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>A change that the what-if dialog offers; the user can type others.</summary>
/// <param name="Change">The change.</param>
/// <param name="Note">The purpose of the change, in a few words.</param>
sealed record WhatIfChoice(WhatIfChange Change, string Note)
{
    /// <summary>Values of MinThreads to offer; users try round numbers first.</summary>
    static readonly ImmutableArray<int> RoundMins = [50, 100];

    /// <summary>Returns the changes to offer for a capture, most useful first.</summary>
    public static ImmutableArray<WhatIfChoice> Of(PoolReport report)
    {
        var target = report.Timeline.Target;
        var min = target.MinWorkers.Value ?? target.Processors.Value ?? 1;
        var offered = StandardChanges.Offered(report, target.Processors.Value ?? min).ToArray();
        var advised = offered.FirstOrDefault(IsMinAlone)?.Min;
        var mins = RoundMins.Where(m => advised is not null && m > min && m != advised)
            .Select(m => new WhatIfChoice(new() { Min = m }, "more worker threads at once"));
        return
        [
            .. offered.SelectMany(c => IsMinAlone(c) ? mins.Prepend(new(c, NoteOf(c, report))) : [new WhatIfChoice(c, NoteOf(c, report))]),
            .. offered.Any(c => c.Processors is not null) ? Array.Empty<WhatIfChoice>()
                : [new(new() { Processors = 2 * (target.Processors.Value ?? min) }, "a larger machine")],
            .. offered.Any(c => c.Max is not null) ? Array.Empty<WhatIfChoice>()
                : [new(new() { Max = min }, "no more threads than MinThreads")],
            new(new() { Policy = PolicyKind.Native }, "the rules before .NET 6"),
            new(new() { Policy = PolicyKind.Clr35 }, "15 threads quickly, then slower"),
            new(new() { Policy = PolicyKind.Clr11 }, "one thread every 500 ms"),
        ];
    }

    static bool IsMinAlone(WhatIfChange change) => change is { Min: not null, Max: null };

    static string NoteOf(WhatIfChange change, PoolReport report) => change switch
    {
        { Min: not null } => report.Findings.Any(f => f.Remedies.Any(r => r.IsDoubtedMin))
            ? "workaround; no help with a lock" : "as the remedy advises",
        { Async: true } => "the cause removed: nothing blocks",
        _ => "a larger machine",
    };

    /// <summary>Parses the words after <c>:whatif</c>; null when the words name no change.</summary>
    public static WhatIfChange? Parse(string text)
    {
        var words = text.Split([' ', '=', ','], StringSplitOptions.RemoveEmptyEntries);
        var change = new WhatIfChange();
        for (var i = 0; i < words.Length; i++)
        {
            var next = i + 1 < words.Length ? words[i + 1] : "";
            var (read, used) = Read(change, words[i], next);
            if (read is null)
            {
                return null;
            }

            (change, i) = (read, i + used);
        }

        return change.IsNone ? null : change;
    }

    static (WhatIfChange? Change, int Used) Read(WhatIfChange change, string word, string next) => word switch
    {
        "min" when Number(next) is { } n => (change with { Min = n }, 1),
        "max" when Number(next) is { } n => (change with { Max = n }, 1),
        "processors" when Number(next) is { } n => (change with { Processors = n }, 1),
        "async" => (change with { Async = true }, 0),
        _ when Enum.TryParse<PolicyKind>(word, ignoreCase: true, out var policy) && Enum.IsDefined(policy) && !char.IsAsciiDigit(word[0]) =>
            (change with { Policy = policy }, 0),
        _ => (null, 0),
    };

    /// <summary>Parses a number of threads or processors, 1 to 32 767: the runtime counts worker threads in signed 16 bits.</summary>
    static int? Number(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var n) && n is > 0 and <= short.MaxValue ? n : null;
}
