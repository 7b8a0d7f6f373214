using Tpwatch.Attach.Clock;
using Tpwatch.Attach.Processes;
using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Attach.Running;

/// <summary>The sampling of one target, on threads of its own.</summary>
sealed class OwnSampling(Machine machine, int pid) : ISampling
{
    readonly ClockSampler? clock = ClockSampler.Start();
    readonly ProcessSampler? process = ProcessSampler.Start(machine, pid);

    /// <inheritdoc/>
    public bool? IsStopped => process?.IsStopped;

    /// <inheritdoc/>
    public bool TryTake(EventTime until, out ClockReading reading)
    {
        reading = default;
        return clock?.TryTake(until, out reading) == true;
    }

    /// <inheritdoc/>
    public bool TryTake(EventTime until, out ProcessReading reading)
    {
        reading = default;
        return process?.TryTake(until, out reading) == true;
    }

    public void Dispose()
    {
        clock?.Dispose();
        process?.Dispose();
    }
}
