using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw021OutsideTests
{
    /// <summary>Finalizers and sockets are served by one thread or few, and a lock is held by somebody; a task may yet end.</summary>
    [Fact]
    public void It_is_a_warning_where_the_wait_is_certainly_wrong() => Assert.Equal(
        [Severity.Warning, Severity.Warning, Severity.Warning, Severity.Note, Severity.Note],
        (((ThreadOrigin Home, BlockKind Kind)[])[(ThreadOrigin.Finalizer, BlockKind.Task), (ThreadOrigin.Sockets, BlockKind.Task),
            (ThreadOrigin.Main, BlockKind.Lock), (ThreadOrigin.Main, BlockKind.Task), (ThreadOrigin.Library, BlockKind.Task)])
            .Select(thread => new Tpw021Outside().Found(Blocked(thread.Home, thread.Kind)).Severity));

    static PoolReport Blocked(ThreadOrigin home, BlockKind kind)
    {
        var report = Ask.Quiet().Report();
        return report with
        {
            Bursts = new()
            {
                Taken = [new(report.Timeline.Now, 30, 8)], Samples = 240, PausedMs = 30, WaitsFor = WaitsFor.Unknown,
                Outside = [new("Shop.Cache.Drop > Task.Wait", kind, home, "Kafka", 1, new(report.Timeline.Start, report.Timeline.Now))],
            },
        };
    }
}
