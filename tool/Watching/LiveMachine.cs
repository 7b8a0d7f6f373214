using Tpwatch.Attach.Processes;
using Tpwatch.Attach.Running;
using Tpwatch.Attach.Sessions;
using Tpwatch.Attach.Targets;
using Tpwatch.Events;
using Tpwatch.Render.Shared;
using Tpwatch.Streams;
using Tpwatch.World;

namespace Tpwatch.Watching;

/// <summary>This machine itself.</summary>
sealed class LiveMachine(TimeSpan olderThan) : IMachine
{
    readonly ProcessArrivals arrivals = new(Machine.Local, olderThan.TotalMilliseconds);
    readonly SharedSampling sampling = new(Machine.Local);

    /// <inheritdoc/>
    public IReadOnlyList<ProcessRow> Arrivals() => [.. arrivals.Look().Select(LiveEngine.RowOf)];

    /// <inheritdoc/>
    public void Later(ProcessRow process, TimeSpan after) => arrivals.Forget(process.Pid, after.TotalMilliseconds);

    /// <inheritdoc/>
    public bool HasGone(ProcessRow process) =>
        Machine.Local.Tree.Stat(process.Pid) is not { HasEnded: false } stat || stat.StartTime != process.StartTime;

    /// <inheritdoc/>
    public async Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel) => new LiveWatch(
        await ThreadPoolWatch.AttachAsync(TargetFinder.Again(process.Pid, process.StartTime), options, sampling, cancel), hasTarget: true);

    /// <inheritdoc/>
    public async Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel) => await SideSession.OpenAsync(
        TargetFinder.Again(process.Pid, process.StartTime),
        facts => SessionNeeds.Plan(ProbeSet.Basic(facts.RuntimeMajor, WatchOptions.DefaultHeartbeat)), cancel);

    /// <inheritdoc/>
    public void Dispose() => sampling.Dispose();
}
