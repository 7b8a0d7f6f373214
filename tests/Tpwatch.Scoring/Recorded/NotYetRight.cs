namespace Tpwatch.Scoring.Recorded;

/// <summary>Runs of which the engine says something else than their record, with what it is that it gets wrong; one that is mended must go.</summary>
internal static class NotYetRight
{
    public static ImmutableSortedDictionary<string, string> Runs { get; } = new Dictionary<string, string>
    {
        ["deadlock-wait-task"] = "the steps for task waits come before the first wait that is proven: told as silent",
        ["deadlock-wait-task.net8"] = "the same",
        ["deadlock-wait-task.net9"] = "the same",
        ["deadlock-wait-task.loaded"] = "the same",
        ["deadlock.late"] = "no finding says that every worker is held, since max is not known",
        ["web-sync-over-async.late"] = "the bound of the longest wait proves nothing behind so many workers",
    }.ToImmutableSortedDictionary(StringComparer.Ordinal);
}
