using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Finds items that no worker thread takes although no rule of the runtime explains the wait. The runtime lost a request for a worker
/// thread, or counts its threads wrongly.
/// </summary>
sealed class Tpw016Wedged : IFindingRule
{
    public string Id => "TPW016";
    public string Title => "Pool wedged: items wait, and no rule of the runtime explains the standstill";

    public FindingMeaning Text { get; } = new(
        "Items wait, worker threads are idle, and the runtime wakes none.",
        "Some versions can lose the request for a worker thread (.NET 9 up to 9.0.11, .NET 10 up to 10.0.1). Other versions count an idle "
            + "thread as running. The queue then stands still until another item is queued, or forever.",
        "Several counter samples in which the queue does not shrink, no item completes and the processors idle. MaxThreads, to rule it out "
            + "as the cause. No thread count adjustment for longer than any rule of the runtime allows.",
        "Update the runtime to its newest servicing version. Until then, take a dump and restart the process. Restart the process even if "
            + "the pool works again after a new item: the pool can stop again.",
        "A call that set MaxThreads below the number of processors looks the same. tpwatch does not see a call made before it attached.");

    public FindingCause Cause(PoolEvidence report) => new(CauseKind.Wedged, "work items wait, and no worker thread takes them");

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var wedged = report.InjectionDelays.Where(g => g.Mechanism == Mechanism.G14Wedged).ToImmutableArray();
        return !wedged.IsEmpty ? new FindingRuleAnswer.Found(Find(report, wedged))
            : MissingEvidence.ClearUnless(MissingEvidence.CounterSamples(report), MissingEvidence.Events(report, "a thread injection"));
    }

    Finding Find(PoolEvidence report, ImmutableArray<InjectionDelay> wedged)
    {
        var longest = wedged.Max(g => g.ObservedMs ?? 0);
        return new(
            Id, Title, Severity.Serious,
            report.Timeline.Target.MaxWorkers.Value is null && report.Timeline.Levels.Workers > 0 ? Confidence.Medium : Confidence.High,
            wedged[0].Start ?? wedged[0].End, wedged[^1].End,
            $"Work items wait. For {Format.Duration(longest)} no worker thread dequeued an item, and the pool added no thread."
                + (HasFix(report) ? "" : " Some runtime versions have a fault that stops the pool."),
            [
                new("Longest time in which no item started and no thread was added", longest, "ms", "gap ledger"),
                new("Waiting items", wedged.Max(g => g.QueueLength), "items", "heartbeat"),
                new("Worker threads while no item started", report.Timeline.Levels.Workers, "workers", "heartbeat"),
                new("Target thread count while no item started",
                    wedged[^1].TargetThreadsBefore ?? report.Timeline.Levels.TargetThreads, "workers", "event 55"),
                new("Processor use while no item started", wedged.Average(g => g.Cpu) * 100, "%", "heartbeat"),
                .. InsideEvidence.Queue(report),
            ],
            [
                new($"Take a dump for the .NET team (dotnet-dump collect -p {Hints.Pid(report)}), then restart the process. "
                    + "Restart the process even if the pool works again after a new item: the pool can stop again."),
                new(Update(report)),
            ]);
    }

    static string Update(PoolEvidence report) => report.Timeline.Target switch
    {
        { RuntimeMajor: { } major and (9 or 10), RuntimeVersion: { } version } => HasFix(report)
            ? $"This may be a new fault, so report it to the .NET team. .NET {version} already has the fix of dotnet/runtime#121608. "
                + $"If a version newer than {version} exists, try it."
            : $"Update the runtime: .NET {version} can lose the request for a worker thread (dotnet/runtime#121608). "
                + $"The fault is fixed in versions after {major}.0.{LastWithoutFix(major)}.",
        { RuntimeMajor: 8, RuntimeVersion: { } version } =>
            $"If a version newer than {version} exists, install it. The fault looks like "
            + "dotnet/runtime#128879. If the pool stops again, take a dump and report the problem.",
        { RuntimeMajor: { } major and < 8 } =>
            $".NET {major} is out of support. The pool can count its threads wrong (dotnet/runtime#70478), "
            + "or fail to start its gate thread (dotnet/runtime#13437). Move to a supported version.",
        _ => "Update the runtime to its newest servicing version.",
    };

    static bool HasFix(PoolEvidence report) =>
        report.Timeline.Target is { RuntimeMajor: { } major and (9 or 10), RuntimeVersion: { } version }
        && Patch(version) > LastWithoutFix(major);

    // The fix was merged to both branches on or after 9 December 2025, after the releases of 10.0.1 and 9.0.11.
    static int LastWithoutFix(int major) => major == 10 ? 1 : 11;

    static int Patch(string version) =>
        version.Split('.', '-', '+') is [_, _, var patch, ..]
        && int.TryParse(patch, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;
}
