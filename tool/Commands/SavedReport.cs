using System.Text;
using Tpwatch.Attach;
using Tpwatch.Explain;
using Tpwatch.Render;
using Tpwatch.Render.Text;

namespace Tpwatch.Commands;

/// <summary>A text report beside whoever watches: into the working directory, readable by its owner alone, never over another file.</summary>
internal static class SavedReport
{
    /// <summary>Names are cut so that the file's stays readable.</summary>
    const int LongestName = 40;

    /// <summary>Writes it into a folder; a sentence that says where, or why not.</summary>
    public static string Write(PoolReport report, TimeStyle time, string folder)
    {
        var path = Path.Combine(folder, NameOf(report));
        try
        {
            if (File.Exists(path))
            {
                return $"Already saved as {path}.";
            }

            using var file = PrivateFile.Create(path);
            file.Write(Encoding.UTF8.GetBytes(TextReportRenderer.Render(report, time, showCommandLine: false)));
            return $"Saved as {path}.";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ForeseenException)
        {
            return $"Not saved: {e.Message}";
        }
    }

    // One name a second of what was seen: a key that is held down does not fill a disk.
    static string NameOf(PoolReport report)
    {
        var (target, timeline) = (report.Timeline.Target, report.Timeline);
        var name = new string([.. target.Name.Where(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_').Take(LongestName)]);
        var moment = timeline.UtcOf(timeline.Now).ToString("yyyyMMdd-HHmmss", System.Globalization.CultureInfo.InvariantCulture);
        return $"tpwatch-{name.TrimStart('.', '-')}-{Words.Pid(target).Replace('?', '0')}-{moment}.txt";
    }
}
