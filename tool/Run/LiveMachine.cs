using Tpwatch.Events;
using Tpwatch.Options;
using Tpwatch.Recordings;
using Tpwatch.Sessions;
using Tpwatch.Targets;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>This machine itself, and whoever comes to a port of ours.</summary>
sealed class LiveMachine(TimeSpan olderThan, SharedPort? port, bool scans) : IMachine
{
    readonly ProcessArrivals? scanned = scans ? new(Machine.Local, olderThan.TotalMilliseconds) : null;
    readonly PortArrivals? came = port is null ? null : new(port, olderThan);
    readonly SharedSampling sampling = new(Machine.Local);

    public IReadOnlyList<ProcessRow> Arrivals() =>
    [
        .. came is null ? [] : came.Look().Select(one => LiveEngine.RowOf(one.Process) with { Run = one.Run }),
        .. scanned is null ? [] : scanned.Look().Select(LiveEngine.RowOf),
    ];

    public void Later(ProcessRow process, TimeSpan after)
    {
        if (process.Run is { } run)
        {
            came?.Forget(run, after);
        }
        else
        {
            scanned?.Forget(process.Pid, after.TotalMilliseconds);
        }
    }

    public bool HasGone(ProcessRow process) => process.Run is { } run
        ? came?.HasGone(run) != false
        : Machine.Local.Tree.Stat(process.Pid) is not { HasEnded: false } stat || stat.StartTime != process.StartTime;

    public async Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel) => new LiveWatch(
        await ThreadPoolWatch.AttachAsync(TargetOf(process), options, sampling, cancel), hasTarget: true);

    public async Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel) => await SideSession.OpenAsync(
        TargetOf(process),
        facts => SessionNeeds.Plan(ProbeSet.Basic(facts.RuntimeMajor, WatchOptions.DefaultHeartbeat)), cancel);

    public void Dispose() => sampling.Dispose();

    Target TargetOf(ProcessRow process) => process.Run is not { } run ? TargetFinder.Again(process.Pid, process.StartTime)
        : came?.TargetOf(run) ?? throw new ForeseenException(
            FormattableString.Invariant($"process {process.Pid} has disconnected from the port"), "start it again", ExitCode.NoSession);
}
