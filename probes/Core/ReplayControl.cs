namespace Tpwatch.Core;

/// <summary>Play, pause, speed and position of a replay. One thread writes; any thread can read.</summary>
sealed class ReplayControl
{
    volatile ReplayRequest wish;

    /// <summary>Creates a control with this speed, as a multiple of real time; null plays as fast as the recording can be read.</summary>
    public ReplayControl(double? speed) => wish = new(speed, Paused: false, RunToMs: 0);

    /// <summary>The speed as a multiple of real time; null plays as fast as the recording can be read.</summary>
    public double? Speed
    {
        get => wish.Speed;
        set => wish = wish with { Speed = value };
    }

    public bool Paused
    {
        get => wish.Paused;
        set => wish = wish with { Paused = value };
    }

    /// <summary>Position, milliseconds after the capture's start, up to which the replay reads without waiting, even when paused.</summary>
    public double RunToMs
    {
        get => wish.RunToMs;
        set => wish = wish with { RunToMs = value };
    }

    internal ReplayRequest KeyCommand => wish;
}

/// <summary>The requested state of a replay at one moment; immutable.</summary>
sealed record ReplayRequest(double? Speed, bool Paused, double RunToMs);
