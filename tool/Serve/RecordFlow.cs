using Tpwatch.Recordings;

namespace Tpwatch.Serve;

/// <summary>The stream of a session as it comes, until its time is over; the session ends with it, whatever the reason.</summary>
sealed class RecordFlow : IFlow
{
    /// <summary>A target that answers at all ends a session in 130 ms; of one that does not our end is closed.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(3);

    const int PieceBytes = 1 << 16;

    readonly CancellationTokenSource over = new();
    readonly ISideStream stream;
    readonly TimeProvider time;
    readonly Action ended;
    readonly Task ending;

    /// <summary>Its time begins now; <paramref name="ended"/> is called when the session is no more.</summary>
    public RecordFlow(ISideStream stream, TimeSpan duration, TimeProvider time, Action ended)
    {
        (this.stream, this.time, this.ended) = (stream, time, ended);
        ending = EndAfterAsync(duration);
    }

    public ValueTask<int> ReadAsync(Memory<byte> into, CancellationToken cancel) => stream.Events.ReadAsync(into, cancel);

    public async ValueTask DisposeAsync()
    {
        await over.CancelAsync();
        using var limit = new CancellationTokenSource(EndLimit, time);
        try
        {
            // The runtime does not answer before everything has been read.
            await Task.WhenAll(ending, stream.StopAsync(limit.Token), DrainAsync(limit.Token));
        }
        catch (OperationCanceledException)
        {
            // Closing our end ends the session at the runtime's next write.
        }
        finally
        {
            await stream.DisposeAsync();
            over.Dispose();
            ended();
        }
    }

    async Task EndAfterAsync(TimeSpan duration)
    {
        await Task.WhenAny(Task.Delay(duration, time, over.Token));
        if (!over.IsCancellationRequested)
        {
            await stream.StopAsync(CancellationToken.None);
        }
    }

    async Task DrainAsync(CancellationToken cancel)
    {
        var piece = new byte[PieceBytes];
        while (await stream.Events.ReadAsync(piece, cancel) > 0)
        {
        }
    }
}
