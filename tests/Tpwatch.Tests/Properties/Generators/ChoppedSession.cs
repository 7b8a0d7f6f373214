using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>A recording whose stream comes in pieces of given sizes.</summary>
sealed class ChoppedSession(RecordedSession recording, IReadOnlyList<int> sizes) : ISession
{
    readonly ChoppedStream events = new(recording.Events, sizes);

    public TargetFacts Target => recording.Target;

    public SessionSource Source => recording.Source;

    public Stream Events => events;

    public CaptureDepth Depth => recording.Depth;

    public ISideStream? Side => recording.Side;

    public bool TryTakeClockReading(EventTime until, out ClockReading reading) => recording.TryTakeClockReading(until, out reading);

    public bool TryTakeProcessReading(EventTime until, out ProcessReading reading) => recording.TryTakeProcessReading(until, out reading);

    public Task StopAsync(CancellationToken cancel) => recording.StopAsync(cancel);

    public SessionEnd Ended(bool properEndMark) => recording.Ended(properEndMark);

    public async ValueTask DisposeAsync()
    {
        await events.DisposeAsync();
        await recording.DisposeAsync();
    }
}
