using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>The common steps of every first session with a target: a time limit, the target's facts, and the error on a failure.</summary>
static class StartLimit
{
    /// <summary>
    /// Calls <paramref name="open"/> with the target's facts, within the start limit. <see cref="UserErrorException"/> when the target does
    /// not answer, refuses, is gone (exit code 1) or is too old (4).
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
