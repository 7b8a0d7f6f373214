using System.Collections.Immutable;

namespace Tpwatch.Benchmarks.Recording;

/// <summary>Rows of the catalogue that may lack a recording, and why; and those made with other options than the short run's.</summary>
internal static class RecordingExceptions
{
    /// <summary>By the row's name. They are tried all the same.</summary>
    public static ImmutableSortedDictionary<string, string> MayLack { get; } = new Dictionary<string, string>
    {
        ["cpu-bound"] = "it needs the processors for itself; with a neighbour the gate's ticks are late, and the recording is refused",
    }.ToImmutableSortedDictionary();

    /// <summary>Golden files are made of these three, so they hold somewhat more.</summary>
    public static ImmutableSortedDictionary<string, ImmutableArray<string>> OwnWords { get; } = new Dictionary<string, ImmutableArray<string>>
    {
        ["pool-burst"] = ["pool-burst", "--items", "30"],
        ["sync-over-async"] = ["sync-over-async", "--items", "300", "--seconds", "13"],
        ["trickle"] = ["trickle", "--seconds", "12"],
    }.ToImmutableSortedDictionary();
}
