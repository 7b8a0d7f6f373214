namespace Tpwatch.Reports;

/// <summary>Number of injection delays by how they compare with the runtime's rules.</summary>
public sealed record GapTally(int Total, int Fits, int Early, int Late, int NoRule, int NoData, int NotTimed, int Open)
{
    /// <summary>
    /// Number of <see cref="NotTimed"/> that are no waits: changes by hill climbing, withdrawn compensation, and idle worker threads that
    /// ended.
    /// </summary>
    public int Moves { get; init; }

    /// <summary>Number of waits for a worker thread.</summary>
    public int Waits => Total - Moves;

    internal static GapTally Of(IEnumerable<Gap> gaps)
    {
        Span<int> counts = stackalloc int[Enum.GetValues<GapVerdict>().Length];
        var (total, moves) = (0, 0);
        foreach (var gap in gaps)
        {
            counts[(int)gap.Verdict]++;
            total++;
            moves += gap is { IsWait: false, Verdict: GapVerdict.NotTimed } ? 1 : 0;
        }

        return new(
            total, counts[(int)GapVerdict.Fits], counts[(int)GapVerdict.Early],
            counts[(int)GapVerdict.Late], counts[(int)GapVerdict.NoRule],
            counts[(int)GapVerdict.NoData], counts[(int)GapVerdict.NotTimed], counts[(int)GapVerdict.Open])
        {
            Moves = moves,
        };
    }

    internal GapTally Plus(GapTally other) => new(
        Total + other.Total, Fits + other.Fits, Early + other.Early, Late + other.Late, NoRule + other.NoRule, NoData + other.NoData,
        NotTimed + other.NotTimed, Open + other.Open)
    {
        Moves = Moves + other.Moves,
    };
}
