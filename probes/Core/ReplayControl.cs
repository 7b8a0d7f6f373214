namespace Tpwatch.Core;

/// <summary>
/// Play, pause, speed and position of a replay. What is reported at its end is the same whatever was
/// done with it. One writer; read by any thread.
/// </summary>
sealed class ReplayControl
{
    volatile ReplayWish wish;

    /// <summary>Plays at a speed; null is as fast as can be read.</summary>
    public ReplayControl(double? speed) => wish = new(speed, Paused: false, RunToMs: 0);

    /// <summary>So many times as fast as it happened; null is as fast as can be read.</summary>
    public double? Speed
    {
        get => wish.Speed;
        set => wish = wish with { Speed = value };
    }

    /// <summary>Whether it stands still.</summary>
    public bool Paused
    {
        get => wish.Paused;
        set => wish = wish with { Paused = value };
    }

    /// <summary>Everything up to so many milliseconds after the start of the capture is read without waiting, even when paused.</summary>
    public double RunToMs
    {
        get => wish.RunToMs;
        set => wish = wish with { RunToMs = value };
    }

    internal ReplayWish Wish => wish;
}

/// <summary>What is wanted of a replay at one moment; immutable.</summary>
sealed record ReplayWish(double? Speed, bool Paused, double RunToMs);
