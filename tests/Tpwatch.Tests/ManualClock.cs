namespace Tpwatch.Tests;

/// <summary>A clock that goes on only when it is told to; it has no timers.</summary>
sealed class ManualClock : TimeProvider
{
    long ticks = 1;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => ticks;

    public void Advance(TimeSpan by) => ticks += by.Ticks;
}
