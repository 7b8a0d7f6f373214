using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Attach;

/// <summary>Reads a session to its end on a thread of its own, as every reader of a session must.</summary>
sealed class DrainingReader
{
    // The last byte of a nettrace stream that was ended in order: a null object. A block ends with another one.
    const byte EndMark = 1;

    readonly TaskCompletionSource<SessionEnd> ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    long bytes;

    public DrainingReader(ISession session) => new Thread(() => Drain(session)) { IsBackground = true }.Start();

    public long Bytes => Volatile.Read(ref bytes);

    public Task<SessionEnd> EndedAsync() => this.ended.Task.WaitAsync(TestContext.Current.CancellationToken);

    void Drain(ISession session)
    {
        try
        {
            var buffer = new byte[1 << 16];
            byte last = 0;
            while (session.Events.Read(buffer, 0, buffer.Length) is > 0 and var count)
            {
                last = buffer[count - 1];
                Volatile.Write(ref bytes, bytes + count);
            }

            this.ended.SetResult(session.Ended(last == EndMark));
        }
        catch (Exception e)
        {
            this.ended.SetException(e);
        }
    }
}
