namespace Tpwatch.Screen.State;

/// <summary>Which verdicts the list of events shows.</summary>
enum VerdictChoice
{
    All,
    AsExpected,
    EarlyOrLate,
    NoRule,
    NotJudged,
}

/// <summary>The filters of a list.</summary>
sealed record ListChoice
{
    public VerdictChoice Verdicts { get; init; }

    /// <summary>The text typed after <c>/</c>.</summary>
    public string Filter { get; init; } = "";

    public bool IsNarrowed => Verdicts != VerdictChoice.All || Filter.Length > 0;

    /// <summary>Returns this choice without any filter.</summary>
    public ListChoice Wide => this with { Verdicts = VerdictChoice.All, Filter = "" };

    public ListChoice NextVerdicts() => this with { Verdicts = Next(Verdicts) };

    public bool Shows(DelayVerdict verdict) => Verdicts switch
    {
        VerdictChoice.AsExpected => verdict == DelayVerdict.AsExpected,
        VerdictChoice.EarlyOrLate => verdict is DelayVerdict.Early or DelayVerdict.Late,
        VerdictChoice.NoRule => verdict == DelayVerdict.NoRule,
        VerdictChoice.NotJudged => verdict is DelayVerdict.NoData or DelayVerdict.NotTimed or DelayVerdict.Open,
        _ => true,
    };

    /// <summary>The shown verdicts in words.</summary>
    public string VerdictWord => Verdicts switch
    {
        VerdictChoice.AsExpected => "as expected",
        VerdictChoice.EarlyOrLate => "early or late",
        VerdictChoice.NoRule => "unexplained",
        VerdictChoice.NotJudged => "not judged",
        _ => "all",
    };

    /// <summary>Returns the next value of an enum, or the first value after the last one, for keys that cycle.</summary>
    public static T Next<T>(T value) where T : struct, Enum
    {
        var values = Enum.GetValues<T>();
        return values[(Array.IndexOf(values, value) + 1) % values.Length];
    }
}
