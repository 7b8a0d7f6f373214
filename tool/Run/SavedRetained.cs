using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>
/// A recording of what a running observation retains, beside whoever watches; readable by its owner alone, never over another file.
/// </summary>
static class SavedRetained
{
    const string Ending = ".nettrace";
    const int Kilobyte = 1024;

    /// <summary>Writes it; a sentence that says where and how much, or why not.</summary>
    /// <param name="watch">What retains.</param>
    /// <param name="report">What is shown; its newest moment names the file.</param>
    /// <param name="asked">Where to; null is a name of its own in the working directory.</param>
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
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ForeseenException)
        {
            return $"Not saved: {e.Message}";
        }
    }

    // Work items and requests come by a second stream, which is not retained.
    static string Lacks(PoolReport report) => report.Items is null && report.Requests is null ? "" : " Items and requests are not in it.";
}
