namespace Tpwatch.Serve;

/// <summary>A body that comes while it is sent. Disposed when it has been sent, and as soon as who wanted it is gone.</summary>
interface IFlow : IAsyncDisposable
{
    /// <summary>The next bytes; 0 at the end.</summary>
    ValueTask<int> ReadAsync(Memory<byte> into, CancellationToken cancel);
}
