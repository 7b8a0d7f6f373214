using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>Facts told to the engine as a session tells them.</summary>
static class Folded
{
    public static PoolReport Report(TargetFacts target, IEnumerable<object> facts)
    {
        var fold = new PoolFold(target, SessionSource.Live);
        var sink = fold.Sink();
        foreach (var fact in facts)
        {
            sink.Tell(fact);
        }

        return fold.Report(SessionEnd.StillOpen);
    }
}
