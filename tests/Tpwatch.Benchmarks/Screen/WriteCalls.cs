using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>How many write calls a frame takes, as strace counts them.</summary>
static class WriteCalls
{
    static readonly TimeSpan Length = TimeSpan.FromSeconds(8);

    /// <summary>Writes to the terminal and frames in the same time; null where there is no strace, or it may not look.</summary>
    public static async Task<(int Writes, int Frames)?> MeasureAsync(OwnTerminal terminal)
    {
        var log = Path.GetTempFileName();
        try
        {
            using var strace = Process.Start(new ProcessStartInfo(
                "strace", ["-f", "-q", "-e", "trace=write,writev", "-s", "12", "-o",
                    log, "-p", terminal.Pid.ToString(CultureInfo.InvariantCulture)]));
            await Task.Delay(Length);
            strace!.Kill();
            await strace.WaitForExitAsync();
            // Each frame begins with the mark of a synchronised update.
            var writes = File.ReadLines(log)
                .Where(l => l.Contains("write(1, ", StringComparison.Ordinal) || l.Contains("writev(1, ", StringComparison.Ordinal))
                .ToList();
            var frames = writes.Count(l => l.Contains("?2026h", StringComparison.Ordinal));
            return frames == 0 ? null : (writes.Count, frames);
        }
        catch (Win32Exception)
        {
            return null;
        }
        finally
        {
            File.Delete(log);
        }
    }
}
