using System.Diagnostics;
using Tpwatch.Run;

namespace Tpwatch.Serve;

/// <summary>What the watcher itself takes.</summary>
static class OwnFacts
{
    public static OwnState Now(int watched, Arriving arriving, int limit, long ended)
    {
        using var process = Process.GetCurrentProcess();
        return new(ToolVersion.Text, watched, arriving.Waiting, arriving.Refused, limit)
        {
            ProcessorSeconds = process.TotalProcessorTime.TotalSeconds,
            ResidentBytes = process.WorkingSet64,
            StartedAt = (process.StartTime.ToUniversalTime() - DateTime.UnixEpoch).TotalSeconds,
            Ended = ended,
        };
    }
}
