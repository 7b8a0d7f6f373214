namespace Tpwatch.Recordings;

/// <summary>
/// A live stream whose events the library hands out as soon as they arrive. The library sorts events: of the events that a thread sent at
/// once, it hands out the first and holds the others until it receives an event that is known to be later. With an idle target, that is the
/// next counter sample, a second later. Every 100 ms, the runtime sends all events up to a moment, so no older event can follow such a
/// batch. This stream adds an empty sequence point after each batch, which makes the library hand out all events. Format 4 only; other
/// formats pass unchanged.
/// </summary>
/// <param name="inner">The stream as the target sends it; not disposed here.</param>
sealed class PromptStream(Stream inner) : PassingStream
{
    /// <summary>
    /// The runtime sends a block when it is full (100 kB) or when there is nothing left to send: a block of less than half that size ends a
    /// batch. Bytes.
    /// </summary>
    const int LeastOfFullBlock = 50_000;

    static readonly byte[] Head = NettraceBlocks.Head("SPBlock"u8);

    /// <summary>
    /// Size of the content, bytes: a time, which the library ignores, and the number of threads that follow, which is zero.
    /// </summary>
    const int ContentLength = sizeof(long) + sizeof(int);

    readonly SentAtOnce sent = new();
    ReadOnlyMemory<byte> added;
    long position;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        if (sent.TakeEnd())
        {
            added = SequencePoint(position);
        }

        var count = added.IsEmpty ? ReadOn(buffer) : Add(buffer);
        position += count;
        return count;
    }

    int ReadOn(Span<byte> buffer)
    {
        var count = inner.Read(buffer);
        sent.Take(buffer[..count]);
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
        var beyond = NettraceBlocks.Padding(1 - at);
        using var block = new MemoryStream();
        NettraceBlocks.Write(block, at, Head, new byte[ContentLength + beyond]);
        return block.ToArray();
    }

    /// <summary>Finds the end of each batch of bytes that the target sent at once.</summary>
    sealed class SentAtOnce
    {
        readonly NettraceBlocks blocks = new();
        bool ended;

        public void Take(ReadOnlySpan<byte> bytes)
        {
            blocks.Append(bytes);
            while (blocks.TryNext(out var block))
            {
                ended = block.Kind == NettraceBlockKind.Events && block.Content.Length < LeastOfFullBlock;
            }
        }

        /// <summary>Whether the newest byte is the last of a batch; true only once for each batch.</summary>
        public bool TakeEnd()
        {
            var end = ended && blocks.IsBetweenBlocks;
            ended &= !end;
            return end;
        }
    }
}
