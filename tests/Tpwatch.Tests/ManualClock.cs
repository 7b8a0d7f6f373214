namespace Tpwatch.Tests;

/// <summary>A clock that goes on only when it is told to; it has no timers.</summary>
sealed class ManualClock : TimeProvider
{
    long checks = 1;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => checks;

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(checks);

    public void Advance(TimeSpan by) => checks += by.Ticks;
}
