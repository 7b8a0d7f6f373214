namespace Tpwatch.Reports;

/// <summary>Numbers of injection delays, in total and by <see cref="DelayVerdict"/>.</summary>
public sealed record DelayTally(int Total, int AsExpected, int Early, int Late, int NoRule, int NoData, int NotTimed, int Open)
{
    /// <summary>
    /// Number of the delays in <see cref="NotTimed"/> during which no item can have waited: changes by hill climbing, withdrawn
    /// compensation, and idle worker threads that ended.
    /// </summary>
    public int Moves { get; init; }

    /// <summary>Number of injection delays during which an item may have waited for a worker thread.</summary>
    public int Waits => Total - Moves;

    internal static DelayTally Of(IEnumerable<InjectionDelay> delays)
    {
        Span<int> counts = stackalloc int[Enum.GetValues<DelayVerdict>().Length];
        var (total, moves) = (0, 0);
        foreach (var delay in delays)
        {
            counts[(int)delay.Verdict]++;
            total++;
            moves += delay is { IsWait: false, Verdict: DelayVerdict.NotTimed } ? 1 : 0;
        }

        return new(
            total, counts[(int)DelayVerdict.AsExpected], counts[(int)DelayVerdict.Early],
            counts[(int)DelayVerdict.Late], counts[(int)DelayVerdict.NoRule],
            counts[(int)DelayVerdict.NoData], counts[(int)DelayVerdict.NotTimed], counts[(int)DelayVerdict.Open])
        {
            Moves = moves,
        };
    }

    internal DelayTally Plus(DelayTally other) => new(
        Total + other.Total, AsExpected + other.AsExpected, Early + other.Early, Late + other.Late, NoRule + other.NoRule,
            NoData + other.NoData,
        NotTimed + other.NotTimed, Open + other.Open)
    {
        Moves = Moves + other.Moves,
    };
}
