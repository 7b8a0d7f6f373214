using Tpwatch.Options;
using Tpwatch.Recordings;
using Tpwatch.Screen.State;

namespace Tpwatch.Run;

/// <summary>
/// A replay that the user can pause, speed up, and move to another moment. Moving forwards reads on without pacing; moving backwards reads
/// the recording again from its start. The final report does not depend on these actions.
/// </summary>
sealed class ReplayWatch : IWatch, IPlayback
{
    readonly Func<ReplayControl, IWatch> open;
    readonly List<Task> closing = [];
    ReplayControl control;
    volatile IWatch current;

    /// <param name="open">Opens the recording; the argument controls speed and pauses.</param>
    /// <param name="speed">The initial speed: 1 for real time, null for as fast as possible.</param>
    public ReplayWatch(Func<ReplayControl, IWatch> open, double? speed)
    {
        (this.open, control) = (open, new(speed));
        current = open(control);
    }

    public Task<SessionEnd> Completion => current.Completion;
    public IPlayback Playback => this;

    public double? Speed
    {
        get => control.Speed;
        set => control.Speed = value;
    }

    public bool Paused
    {
        get => control.Paused;
        set => control.Paused = value;
    }

    public bool AtEnd => current.Completion.IsCompleted;

    public PoolReport Report() => current.Report();

    public Task News => current.News;

    public void Forget() => current.Forget();

    public SavedFlight SaveRetained(string path) =>
        throw new UserErrorException("a replay saves no recording: everything shown is in the replayed file", "copy that "
            + "file", ExitCode.NoSession);

    public void Seek(double milliseconds)
    {
        var timeline = current.Report().Timeline;
        if (milliseconds >= timeline.Now.MsSince(timeline.Start))
        {
            control.RunToMs = milliseconds;
            return;
        }

        closing.RemoveAll(t => t.IsCompletedSuccessfully);
        closing.Add(current.DisposeAsync().AsTask());
        control = new(control.Speed) { Paused = control.Paused, RunToMs = milliseconds };
        current = open(control);
    }

    public Task StopAsync(CancellationToken cancel) => current.StopAsync(cancel);

    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(closing);
        await current.DisposeAsync();
    }
}
