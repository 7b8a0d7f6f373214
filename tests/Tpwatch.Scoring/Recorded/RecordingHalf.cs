namespace Tpwatch.Scoring.Recorded;

/// <summary>
/// Constants of the forecast are tuned on one half of the stored runs and scored on the other. Which half a run belongs to follows from the
/// name of its row alone, so that no choice can be made and a row's runtimes stay together.
/// </summary>
static class RecordingHalf
{
    /// <summary>Whether constants may be tuned on the run.</summary>
    public static bool IsForTuning(string stem) => stem.Sum(letter => letter) % 2 == 0;
}
