using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>
/// Saves the retained events of an observation as a recording, which only its owner may read; overwrites no existing file.
/// </summary>
static class SavedRetained
{
    const string Ending = ".nettrace";
    const int Kilobyte = 1024;

    /// <summary>Writes the recording; returns a sentence with path and size, or with the reason of a failure.</summary>
    /// <param name="watch">The observation that retains the events.</param>
    /// <param name="report">The report on the screen; its newest moment names the file.</param>
    /// <param name="asked">Path of the file; null for a generated name in the working directory.</param>
    public static string Write(IWatch watch, PoolReport report, string? asked)
    {
        var path = asked is null ? RecordingFile.NameFor(report.Timeline.Target.Name, report.Timeline.UtcOf(report.Timeline.Now))
            : asked.EndsWith(Ending, StringComparison.OrdinalIgnoreCase) ? asked : asked + Ending;
        try
        {
            var saved = watch.SaveRetained(path);
            return $"Saved as {saved.Path}, {Format.Count((saved.Bytes + Kilobyte - 1) / Kilobyte)} kB, "
                + $"{(saved.IsWhole ? "the capture from its start" : "the newest part")}"
                + $"{(report.Blockers is null ? "" : ", with its stacks")}. Open the file with replay or report.{Lacks(report)}";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or UserErrorException)
        {
            return $"Not saved: {e.Message}";
        }
    }

    // Events of work items and requests arrive on a second stream, which tpwatch does not retain.
    static string Lacks(PoolReport report) => report.Items is null && report.Requests is null ? "" : " Items and requests are not in it.";
}
