using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Scoring.Models;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Replay;

/// <summary>
/// A recording as a poor capture would have brought it: no side-car, no heartbeat, the processors not told, and events lost in its middle.
/// </summary>
static class LossyRecording
{
    public static async Task<PoolReport> ReadAsync(string name)
    {
        var folder = Directory.CreateTempSubdirectory("tpwatch-poor-");
        try
        {
            var alone = Path.Combine(folder.FullName, name + ".nettrace");
            File.Copy(TestRecordings.File(name), alone);
            return await FoldAsync(alone);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    static async Task<PoolReport> FoldAsync(string file)
    {
        await using var session = RecordedSession.Open(file);
        var fold = new PoolFold(session.Target, SessionSource.Recording);
        return fold.Report(
            session.Ended(new EventDecoder(session, ProbeSet.ForRecording()).Decode(new(session.Events), new PoorFacts(fold.Sink()))));
    }

    /// <summary>Heartbeats do not come, and the first of those that would have come is where a hundred events are lost.</summary>
    sealed class PoorFacts(IFactSink inner) : PassedFacts(inner)
    {
        bool lost;

        public override void On(in StreamOpened fact) => Inner.On(fact with { Processors = 0 });

        public override void On(in ProcessorsCounted fact)
        {
        }

        public override void On(in CountersRead fact)
        {
            if (!lost)
            {
                Inner.On(new EventsLost(fact.At, 100));
                lost = true;
            }
        }
    }
}
