namespace Tpwatch.Recordings;

/// <summary>Base class of streams that are read once from front to back; all other operations throw.</summary>
abstract class PassingStream : Stream
{
    public override bool CanRead => true;
    public override bool CanSeek => false;
    public override bool CanWrite => false;
    public override long Length => throw new NotSupportedException();
    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public abstract override int Read(Span<byte> buffer);

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}

/// <summary>
/// A session's stream as the library reads it, for blocking reads: notifies before each read, copies the bytes, retains the newest blocks,
/// counts lost events, and makes the library hand out live events at once. Another format than 4 passes unchanged and is not counted.
/// </summary>
/// <param name="inner">The source of the bytes; not disposed here.</param>
sealed class EventStream(Stream inner) : PassingStream
{
    /// <summary>
    /// The runtime sends a block when it is full (100 kB) or when there is nothing left to send: a block of less than half that size ends a
    /// batch. Bytes.
    /// </summary>
    const int LeastOfFullBlock = 50_000;

    /// <summary>
    /// Size of a sequence point's content, bytes: a time, which the library ignores, and the number of threads that follow, which is zero.
    /// </summary>
    const int SequencePointLength = sizeof(long) + sizeof(int);

    static readonly byte[] SequencePointHead = NettraceBlocks.Head("SPBlock"u8);

    readonly NettraceBlocks blocks = new();
    readonly WritingThreads threads = new();
    bool understood = true;
    bool endsBatch;
    ReadOnlyMemory<byte> added;
    long position;

    /// <summary>
    /// Called on the reading thread before each read of the source, when the reader has processed all data and is about to wait for more.
    /// </summary>
    public Action BeforeRead { get; init; } = () => { };

    /// <summary>Receives the bytes of the source.</summary>
    public Action<ReadOnlySpan<byte>>? Copy { get; init; }

    /// <summary>Retains the newest blocks; null retains nothing.</summary>
    public FlightRecorder? Flight { get; init; }

    /// <summary>
    /// Whether the library hands out events as soon as they arrive. The library sorts events: of the events that a thread sent at once, it
    /// hands out the first and holds the others until it receives an event that is known to be later. With an idle target, that is the next
    /// counter sample, a second later. Every 100 ms, the runtime sends all events up to a moment, so no older event can follow such a
    /// batch. An empty sequence point after each batch makes the library hand out all events.
    /// </summary>
    public bool IsPrompt { get; init; }

    /// <summary>
    /// Number of lost events so far; null once the stream contains unknown data. The library also counts, but it mistakes a thread that
    /// reuses the id of an ended thread for a loss (<c>EventCache.NotifyDroppedEventsIfNeeded</c>, 4.0.0).
    /// </summary>
    public long? Lost => understood && blocks.Defect is null ? threads.Lost : null;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        if (endsBatch && blocks.IsBetweenBlocks)
        {
            (added, endsBatch) = (SequencePoint(position), false);
        }

        var count = added.IsEmpty ? ReadOn(buffer) : Add(buffer);
        position += count;
        return count;
    }

    int ReadOn(Span<byte> buffer)
    {
        BeforeRead();
        var count = inner.Read(buffer);
        Copy?.Invoke(buffer[..count]);
        blocks.Append(buffer[..count]);
        while (blocks.TryNext(out var block))
        {
            Flight?.Take(block);
            if (understood)
            {
                Count(block);
            }

            endsBatch = IsPrompt && block.Kind == NettraceBlockKind.Events && block.Content.Length < LeastOfFullBlock;
        }

        if (blocks.Defect is not null)
        {
            Flight?.Fail();
        }

        return count;
    }

    int Add(Span<byte> buffer)
    {
        var count = Math.Min(buffer.Length, added.Length);
        added.Span[..count].CopyTo(buffer);
        added = added[count..];
        return count;
    }

    /// <summary>
    /// The sender aligned the bytes that follow to four, counted from the start of the stream, and the added block must preserve that.
    /// Content starts at a multiple of four and one byte ends it, so the content is extended by (position - 1) modulo 4 bytes, which the
    /// library does not read.
    /// </summary>
    static byte[] SequencePoint(long at)
    {
        using var block = new MemoryStream();
        NettraceBlocks.Write(block, at, SequencePointHead, new byte[SequencePointLength + NettraceBlocks.Padding(1 - at)]);
        return block.ToArray();
    }

    void Count(in NettraceBlock block)
    {
        try
        {
            if (block.Kind == NettraceBlockKind.Events)
            {
                Events(block.Content);
            }
            else if (block.Kind == NettraceBlockKind.SequencePoint)
            {
                threads.Point(block.Content);
            }
        }
        catch (NotUnderstoodException)
        {
            understood = false;
        }
    }

    void Events(ReadOnlySpan<byte> content)
    {
        var cursor = EventHeader.FirstOf(content);
        EventHeader header = default;
        WritingThread? thread = null;
        while (!cursor.AtEnd)
        {
            header.Read(ref cursor);
            cursor.Take(header.Length);
            thread = thread is null || header.Sorted ? threads.Of(header.Capture, header.Sequence - 1) : thread;
            thread.LastTime = header.Time;
            threads.Wrote(thread, header.Sequence);
        }
    }
}
