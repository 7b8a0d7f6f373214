using Tpwatch.Recordings;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Serving;

/// <summary>The stream of a recording, whose end comes when it is asked for.</summary>
sealed class RecordedSideStream(string recording) : ISideStream
{
    readonly TaskCompletionSource stopped = new();

    /// <summary>Whether our end was closed.</summary>
    public bool Disposed { get; private set; }

    /// <summary>Whether its end was asked for.</summary>
    public bool Stopped => stopped.Task.IsCompleted;

    public Stream Events => field ??= new Held(File.OpenRead(TestRecordings.File(recording)), stopped.Task);

    public bool WithStacks => false;

    public string? Ended(bool properEndMark) => null;

    public Task StopAsync(CancellationToken cancel)
    {
        stopped.TrySetResult();
        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        Disposed = true;
        await Events.DisposeAsync();
    }

    sealed class Held(FileStream file, Task until) : ForwardOnlyStream
    {
        public override int Read(Span<byte> buffer) => throw new NotSupportedException("no thread of the pool may be held");

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var read = await file.ReadAsync(buffer, cancellationToken);
            if (read == 0)
            {
                await until.WaitAsync(cancellationToken);
            }

            return read;
        }

        protected override void Dispose(bool disposing)
        {
            file.Dispose();
            base.Dispose(disposing);
        }
    }
}
