using Tpwatch.Options;
using Tpwatch.Sessions;
using Tpwatch.Targets;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>The engine itself.</summary>
sealed class LiveEngine : IEngine
{
    public Task<IReadOnlyList<ProcessRow>> FindAsync(CancellationToken cancel) => Task.FromResult<IReadOnlyList<ProcessRow>>(
        [.. ProcessScan.All().Select(RowOf)]);

    public IMachine Machine(TimeSpan olderThan, SharedPort? port, bool scans) => new LiveMachine(olderThan, port, scans);

    public Task<ProcessRow> ByNameAsync(string name, CancellationToken cancel) => DescribeAsync(TargetFinder.ByName(name), cancel);

    public Task<IReadOnlyList<int>> AllByNameAsync(string name, CancellationToken cancel) => Task.FromResult(TargetFinder.AllByName(name));

    public Task<ProcessRow> ByPidAsync(int pid, CancellationToken cancel) => DescribeAsync(TargetFinder.ByPid(pid), cancel);

    public async Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel) => new LiveWatch(
        await ThreadPoolWatch.AttachAsync(TargetFinder.Again(process.Pid, process.StartTime), options, cancel), hasTarget: true);

    public async Task<ITarget> BehindPortAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel) =>
        await BehindPort.OpenAsync(address, timeout, cancel);

    public ITarget Launch(CommandRequest command) => new LaunchedCommand(command);

    public IWatch Replay(string file, WatchOptions options) => new LiveWatch(ThreadPoolWatch.Replay(file, options), hasTarget: false);

    /// <summary>As a list shows it.</summary>
    internal static ProcessRow RowOf(ListedProcess p) => new(p.Pid, p.Name, p.Runtime, p.User, p.CommandLine, p.WhyNot)
    {
        StartTime = p.StartTime, Hint = p.Hint, Threads = p.Threads, ProcessorMs = p.ProcessorMs, AgeMs = p.AgeMs,
        Executable = p.Executable, Container = p.Container,
    };

    static async Task<ProcessRow> DescribeAsync(Target target, CancellationToken cancel)
    {
        var facts = await TargetPortrait.TakeAsync(target, cancel);
        return new(target.Pid, facts.Name, facts.RuntimeVersion, null, facts.CommandLine) { StartTime = target.StartTime };
    }
}
