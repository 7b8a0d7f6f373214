using Tpwatch.Options;

namespace Tpwatch.Serve;

/// <summary>Replaces watches that have grown old, one at a time: the old session is ended first, so that a process never has two.</summary>
sealed class Renewal(IMachine machine, ServeRequest options)
{
    /// <summary>A process that lives and could not be attached to again arrives once more.</summary>
    static readonly TimeSpan TryAgain = TimeSpan.FromSeconds(10);

    Attempt? underWay;

    /// <summary>Begins with the next that is due, or goes on with the one under way; returns one that is lost by it.</summary>
    public async Task<FleetTarget?> StepAsync(List<FleetTarget> targets, CancellationToken cancel)
    {
        if (underWay is { Fresh.IsCompleted: true })
        {
            return await LastAsync(targets);
        }

        if (underWay is null && targets.Find(t => t.IsDue) is { } due)
        {
            await due.Rest().DisposeAsync();
            underWay = new(due, machine.AttachAsync(due.Row, Incidents.Retaining(options), cancel));
        }

        return null;
    }

    /// <summary>Waits for the one under way, so that none is left behind; returns it if it is lost.</summary>
    public async Task<FleetTarget?> LastAsync(List<FleetTarget> targets)
    {
        if (underWay is not { } attempt)
        {
            return null;
        }

        underWay = null;
        try
        {
            attempt.Target.Resume(await attempt.Fresh);
            return null;
        }
        catch (Exception e) when (e is ForeseenException or OperationCanceledException)
        {
            targets.Remove(attempt.Target);
            machine.Later(attempt.Target.Row, TryAgain);
            return attempt.Target;
        }
    }

    sealed record Attempt(FleetTarget Target, Task<IWatch> Fresh);
}
