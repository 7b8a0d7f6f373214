namespace Tpwatch.Recordings;

/// <summary>Base class of streams that are read once from front to back; seeking and writing throw.</summary>
abstract class ForwardOnlyStream : Stream
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
/// The bytes of a session, which the TraceEvent library reads. This class also copies the bytes, retains the newest blocks, counts lost
/// events, and makes the library hand out live events at once. If the format is not 4, the bytes are only copied.
/// </summary>
/// <param name="inner">The source of the bytes; not disposed here.</param>
sealed class EventStream(Stream inner) : ForwardOnlyStream
{
    /// <summary>
    /// Size in bytes below which a block ends a batch of events. The runtime sends a block when the block is full (100 kB) or when no other
    /// event is left to send.
    /// </summary>
    const int LeastOfFullBlock = 50_000;

    /// <summary>
    /// Size of a sequence point's content, bytes: a time, which the library ignores, and the number of listed threads, which is zero.
    /// </summary>
    const int SequencePointLength = sizeof(long) + sizeof(int);

    static readonly byte[] SequencePointHead = NettraceBlocks.Head("SPBlock"u8);

    /// <summary>
    /// Size of a read from the source of live events, bytes. The library reads each block in many small parts, and each read that waits for
    /// the source costs several thread switches. A batch of an idle process fits into one read of this size.
    /// </summary>
    const int ReadLength = 16 << 10;

    readonly NettraceBlocks blocks = new();
    readonly EventSequenceTracker threads = new();
    byte[]? read;
    bool understood = true;
    bool endsBatch;
    ReadOnlyMemory<byte> added;
    ReadOnlyMemory<byte> ahead;
    long position;

    /// <summary>
    /// Callback on the reading thread before each read from the source, which may block. All bytes read earlier are processed by then.
    /// </summary>
    public Action BeforeRead { get; init; } = () => { };

    /// <summary>Callback that receives all bytes of the source, unchanged; null for none.</summary>
    public Action<ReadOnlySpan<byte>>? Copy { get; init; }

    /// <summary>The flight recorder, which retains the newest blocks; null if no block is retained.</summary>
    public FlightRecorder? Flight { get; init; }

    /// <summary>
    /// Whether the library hands out events as soon as they arrive. The runtime sends a batch of events every 100 ms. The library hands out
    /// only the first event of each thread in a batch, and holds the others until a later event arrives. In an idle target, that is the
    /// next counter sample, up to one second later. To release the held events, this class inserts an empty sequence point after each
    /// batch. This keeps the order, because no later event is older than the batch.
    /// </summary>
    public bool IsPrompt { get; init; }

    /// <summary>
    /// Number of lost events so far; null after unknown data. The library's own number includes false losses when a new thread reuses the
    /// id of an ended thread (<c>EventCache.NotifyDroppedEventsIfNeeded</c>, 4.0.0).
    /// </summary>
    public long? Lost => understood && blocks.Defect is null ? threads.Lost : null;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        if (endsBatch && blocks.IsBetweenBlocks)
        {
            (added, endsBatch) = (SequencePoint(position), false);
        }

        var count = added.IsEmpty ? ReadOn(buffer) : Take(ref added, buffer);
        position += count;
        return count;
    }

    // Bytes that were read ahead are examined only when the library takes them. A loss then counts when its block is read.
    int ReadOn(Span<byte> buffer)
    {
        var readsAhead = !ahead.IsEmpty || (IsPrompt && buffer.Length < ReadLength);
        if (readsAhead && ahead.IsEmpty)
        {
            read ??= new byte[ReadLength];
            ahead = read.AsMemory(0, ReadSource(read));
        }

        var count = readsAhead ? Take(ref ahead, buffer) : ReadSource(buffer);
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

    int ReadSource(Span<byte> buffer)
    {
        BeforeRead();
        var count = inner.Read(buffer);
        Copy?.Invoke(buffer[..count]);
        return count;
    }

    static int Take(ref ReadOnlyMemory<byte> from, Span<byte> buffer)
    {
        var count = Math.Min(buffer.Length, from.Length);
        from.Span[..count].CopyTo(buffer);
        from = from[count..];
        return count;
    }

    /// <summary>
    /// Returns an empty sequence point to insert at a position of the stream. Its length is a multiple of four, because the sender aligned
    /// the later blocks to four bytes from the start of the stream. The content starts at a multiple of four, and one byte follows the
    /// content. The content is therefore extended by (position - 1) modulo 4 bytes, which the library does not read.
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
        catch (UnsupportedTraceException)
        {
            understood = false;
        }
    }

    void Events(ReadOnlySpan<byte> content)
    {
        var cursor = EventHeader.FirstOf(content);
        EventHeader header = default;
        ThreadEvents? thread = null;
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
