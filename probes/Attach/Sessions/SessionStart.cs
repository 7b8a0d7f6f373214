using Tpwatch.Attach.Targets;
using Tpwatch.Reports;

namespace Tpwatch.Attach.Sessions;

/// <summary>A session's opening, and what it then holds in its target.</summary>
/// <param name="Port">The first session.</param>
/// <param name="Beside">The second, for items or stacks; null without.</param>
/// <param name="Depth">What is observed.</param>
sealed record SessionStart(OpenPort Port, SideSession? Beside, CaptureDepth Depth)
{
    /// <summary>Opens both, and lets a suspended target go on; leaves nothing behind where one fails.</summary>
    public static async Task<SessionStart> OpenAsync(LiveSessionSetting setting, Target target, SessionPlan plan, CancellationToken cancel)
    {
        var port = await OpenPort.StartAsync(target, plan, cancel).ConfigureAwait(false);
        SideSession? beside = null;
        try
        {
            beside = plan.Beside is { } second
                ? await SideSession.OpenAsync(target, second, setting.Time, cancel).ConfigureAwait(false)
                : null;
            await (setting.Resume ? port.ResumeAsync(setting.Environment, cancel) : Task.CompletedTask).ConfigureAwait(false);
            return new(port, beside, plan.Depth);
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
}
