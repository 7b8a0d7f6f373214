using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A session's opening, and what it then holds in its target.</summary>
/// <param name="Port">The first session.</param>
/// <param name="Beside">The second, for items or stacks; null without.</param>
/// <param name="Depth">What is observed.</param>
/// <param name="Start">Of a process that starts: the first session is a beginning, and the whole one follows; null otherwise.</param>
sealed record SessionStart(OpenPort Port, SideSession? Beside, CaptureDepth Depth, StartSession? Start)
{
    /// <summary>Opens both, and lets a suspended target go on; leaves nothing behind where one fails.</summary>
    public static async Task<SessionStart> OpenAsync(LiveSessionSetting setting, Target target, SessionPlan plan, CancellationToken cancel)
    {
        var left = setting.MayBeStarting ? StartLeft(setting.Machine, target) : null;
        var start = left is null ? null : plan.AtStart;
        var first = start ?? plan;
        var port = await OpenPort.StartAsync(target, first, cancel).ConfigureAwait(false);
        SideSession? beside = null;
        try
        {
            beside = first.Beside is { } second
                ? await SideSession.OpenAsync(target, second, setting.Time, cancel).ConfigureAwait(false)
                : null;
            await (setting.Resume ? port.ResumeAsync(setting.Environment, cancel) : Task.CompletedTask).ConfigureAwait(false);
            return new(port, beside, plan.Depth,
                start is null ? null : new(port, left!.Value, within => OpenPort.StartAsync(target, plan, within), setting.Time));
        }
        catch
        {
            if (beside is not null)
            {
                await beside.DisposeAsync().ConfigureAwait(false);
            }

            await port.CloseAsync(setting.Time).ConfigureAwait(false);
            throw;
        }
    }

    // How long until it counts as started; null where it does. In some containers the uptime is another than that of the start time.
    static TimeSpan? StartLeft(Machine machine, Target target) => machine.IsLinux && !target.IsElsewhere && target.StartTime is { } start
        && StartSession.YoungMs - (machine.Tree.UptimeMs() - start * ProcStat.TickMs) is > 0 and var left
        ? TimeSpan.FromMilliseconds(Math.Min(left, StartSession.YoungMs)) : null;
}
