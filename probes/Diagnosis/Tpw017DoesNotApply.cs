using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Finds a setting or runtime version to which tpwatch's rules about the thread pool do not apply.</summary>
sealed class Tpw017DoesNotApply : IFindingRule
{
    public string Id => "TPW017";
    public string Title => "The usual rules of the thread pool do not apply";

    public FindingMeaning Text { get; } = new(
        "tpwatch judges injection delays by the rules of .NET's own thread pool in .NET 6 to 10.",
        "The Windows thread pool has other rules and sends no event about its threads. If starvation detection is switched off, the pool "
            + "adds no thread for calls that the pool cannot detect. Another runtime version may have other rules.",
        "The pool's settings (an event on every attach, the environment, runtimeconfig.json) and the runtime's version.",
        "Remove the setting that the finding names, unless the setting has a good reason. On another runtime version, do not rely on how "
            + "tpwatch judges a single injection delay.",
        "A setting that has a good reason, or a newer runtime whose rules have not changed.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.DetectorOff, report.Verdict.IsStarvation() ? "starvation detection is switched off" : null);

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var target = report.Timeline.Target;
        return UsesWindowsPool(report) ? new FindingRuleAnswer.Found(WindowsPool(report))
            : PoolSwitch.On(target, PoolSwitch.DetectorDisabled) is { } off ? new FindingRuleAnswer.Found(DetectorOff(report, off))
            : Runtimes.AreUnverified(target) ? new FindingRuleAnswer.Found(Unverified(report))
            : MissingEvidence.ClearUnless(target.RuntimeMajor is null
                ? new MissingData(MissingKind.Setting, "the runtime's version is not known") : null);
    }

    // On systems other than Windows, the runtime does not read this setting.
    static bool UsesWindowsPool(PoolEvidence report) =>
        PoolSwitch.On(report.Timeline.Target, PoolSwitch.WindowsPool) is not null
        && (report.Timeline.Target.Os is not { } os || os.Contains("Windows", StringComparison.OrdinalIgnoreCase));

    Finding WindowsPool(PoolEvidence report) => Of(
        report, Severity.Warning,
        "The process uses the Windows thread pool. The Windows pool sends no event about its threads, so tpwatch cannot judge injection "
            + "delays.",
        PoolSwitch.On(report.Timeline.Target, PoolSwitch.WindowsPool)!,
        "To have the waits explained, let the process use .NET's own thread pool again.");

    Finding DetectorOff(PoolEvidence report, PoolSetting off)
    {
        var starving = report.Verdict.IsWait();
        var finding = Of(
            report, starving ? Severity.Serious : Severity.Warning,
            "Starvation detection is switched off: the pool adds no thread for locks, sleeps or synchronous I/O."
            + (starving ? " Work items wait." : " No work item waits for a thread yet."),
            off,
            "Switch starvation detection on again.",
            " Then find the call that blocks the worker threads, and replace it with an asynchronous one.");
        return starving ? finding with { Remedies = finding.Remedies.Add(MinThreadsRemedy.Of(report)) } : finding;
    }

    Finding Unverified(PoolEvidence report) => new(
        Id, Title, Severity.Note, Confidence.High, report.Timeline.Start, report.Timeline.Now,
        $"{Runtimes.Remark(report.Timeline.Target)}.",
        [
            new("Major version of the runtime", report.Timeline.Target.RuntimeMajor, null, "the process itself"),
            new("Injection delays that no rule explains", report.Tally.NoRule, $"of {report.Tally.Total}", "gap ledger"),
            new("Injection delays earlier or later than the rules allow",
                report.Tally.Early + report.Tally.Late, $"of {report.Tally.Total}", "gap ledger"),
        ],
        [new("Do not rely on the judgment of a single injection delay. The verdict does not depend on it.")]);

    static string TakeOut(PoolSetting setting) => setting.Source == SettingSource.Environment
        ? $"remove {setting.Name}={setting.Value} from the environment, and restart the process"
        : $"\"{setting.Name}\": false in runtimeconfig.json (now {setting.Value})";

    Finding Of(PoolEvidence report, Severity severity, string headline, PoolSetting setting, string remedy, string after = "") => new(
        Id, Title, severity, Confidence.High, report.Timeline.Start, report.Timeline.Now, headline,
        [new(setting.Name, 1, setting.Value == "1" ? "" : $"({setting.Value})", setting.Source.ToString().ToLowerInvariant())],
        [new(remedy + after, TakeOut(setting)) { After = after, Removes = setting.Source == SettingSource.Environment }]);
}
