using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>What every first session with a target has in common: a limit, who the target is, and a sentence where it fails.</summary>
static class StartLimit
{
    /// <summary>
    /// Opens what <paramref name="open"/> makes of the target's facts, within the limit of a start. <see cref="ForeseenException"/> when
    /// the target does not answer, refuses, is gone (exit code 1) or too old (4).
    /// </summary>
    public static async Task<T> WithinAsync<T>(
        LiveSessionSetting setting, Target target, Func<TargetFacts, CancellationToken, Task<T>> open, CancellationToken cancel)
    {
        using CancellationTokenSource limit = new(setting.LimitFor(target), setting.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        try
        {
            var facts = await TargetPortrait.TakeAsync(setting.Machine, target, setting.Time, either.Token).ConfigureAwait(false);
            return await open(facts, either.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (SessionErrors.IsForeseen(e))
        {
            cancel.ThrowIfCancellationRequested();
            throw SessionErrors.OfStart(setting.Machine, target, e);
        }
    }
}
