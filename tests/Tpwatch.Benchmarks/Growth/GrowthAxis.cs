namespace Tpwatch.Benchmarks.Growth;

/// <summary>One thing that may become much.</summary>
/// <param name="Name">Of its picture.</param>
/// <param name="What">With its unit, as a row says it.</param>
/// <param name="Sizes">Ascending.</param>
/// <param name="Rounds">How often each size is measured.</param>
/// <param name="Measure">What a size costs.</param>
sealed record GrowthAxis(string Name, string What, double[] Sizes, int Rounds, Func<double, Measured> Measure)
{
    const int FoldRounds = 5, RecordingRounds = 2;

    /// <summary>Until the runtime has compiled anew what runs often: code that becomes faster meanwhile hides how cost grows.</summary>
    static readonly TimeSpan Warm = TimeSpan.FromSeconds(5);

    /// <summary>The runtime compiles beside, once nothing new has been called for a tenth of a second.</summary>
    static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(300);

    /// <summary>Round after round through all sizes, so that what else the machine does meets all alike.</summary>
    public async Task<GrownCosts> RunAsync()
    {
        for (var begun = TimeProvider.System.GetTimestamp(); IsFolded && TimeProvider.System.GetElapsedTime(begun) < Warm;)
        {
            foreach (var size in Sizes.SkipLast(1))
                Measure(size);
            await Task.Delay(Rest);
        }

        return new(this, [.. Enumerable.Repeat(Sizes, Rounds).SelectMany(sizes => sizes).Select(Measure)]);
    }

    /// <summary>Whether it is measured in this process.</summary>
    bool IsFolded => Rounds == FoldRounds;

    public static IReadOnlyList<GrowthAxis> Of(GrownRecording recording) =>
    [
        Folded("workers", "workers", [10, 30, 100, 300, 1000, 2500, 5000], GrownStreams.Workers),
        Folded("items", "items a second", [1, 10, 100, 1000, 10_000, 50_000, 150_000, 500_000], GrownStreams.Items),
        Folded("lost", "losses of events in a minute", [1, 10, 100, 1000, 10_000, 30_000, 100_000], GrownStreams.Lost),
        Folded("length", "minutes of the capture", [1, 10, 60, 360, 1440, 3600, 10_080], GrownStreams.Minutes),
        // A day of them fills the book of gaps.
        Folded("episodes", "minutes with four seconds of starvation in each", [1, 10, 60, 360, 1440, 4320, 10_080, 20_160],
            GrownStreams.Episodes),
        Folded("hanging", "minutes in which items wait and no worker comes", [1, 3, 10, 60, 180, 480, 1440], GrownStreams.Hanging),
        new("recording", "megabytes of the recording", [1, 5, 20, 60, 200, 500, 1500, 4000], RecordingRounds, recording.Megabytes),
    ];

    static GrowthAxis Folded(string name, string what, double[] sizes, Func<double, GrownFold> fold) =>
        new(name, what, sizes, FoldRounds, size => Measured.Of(size, fold));
}
