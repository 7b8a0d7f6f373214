using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using Tpwatch.Core;
using Tpwatch.Sessions;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>
/// The gate's real ticks from outside our engine: the runtime traces every wait on a handle (.NET 9 and later), and the gate sleeps in one.
/// The gate is the thread that raises the Starvation adjustments.
/// </summary>
sealed class GateWakes
{
    const string Runtime = "Microsoft-Windows-DotNETRuntime";
    const long WaitHandles = 0x40000000000;
    const long Threading = 0x10000;

    readonly List<(int Thread, EventTime At)> wakes = [];
    readonly HashSet<int> gates = [];

    /// <summary>What to switch on: waits are traced on the most verbose level only.</summary>
    public static PlannedProvider Provider { get; } = new(Runtime, EventLevel.Verbose, WaitHandles | Threading);

    public void Subscribe(EventPipeEventSource source)
    {
        source.Clr.WaitHandleWaitStop += e => wakes.Add((e.ThreadID, At(e)));
        source.Clr.ThreadPoolWorkerThreadAdjustmentAdjustment += e =>
        {
            if (e.Reason == ThreadAdjustmentReason.Starvation)
            {
                gates.Add(e.ThreadID);
            }
        };
    }

    /// <summary>The ticks, oldest first; to be asked when the session has ended.</summary>
    public EventTime[] Ticks()
    {
        var gate = Assert.Single(gates);
        return [.. wakes.Where(w => w.Thread == gate).Select(w => w.At)];
    }

    // On Linux the stream's ticks are the nanoseconds of the monotonic clock, which is event time.
#pragma warning disable CS0618
    static EventTime At(TraceEvent e) => new(e.TimeStampQPC);
#pragma warning restore CS0618
}
