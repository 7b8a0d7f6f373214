namespace Tpwatch.Recordings.Extract;

/// <summary>An event that waits for its turn.</summary>
/// <param name="Time">Ticks of the stream's clock.</param>
/// <param name="Kind">The id of its description.</param>
/// <param name="Kept">Where it stands among those that are kept; negative is left out.</param>
readonly record struct Waiting(long Time, int Kind, int Kept);
