namespace Tpwatch.Recordings;

/// <summary>
/// A live stream whose events are handed out when they come. The library sorts: of what a thread has sent at once it hands out the first
/// event, and keeps the others until another event comes that is known to be later. From an idle target that is a second later, with the
/// next counter sample. The runtime sends every 100 ms all events up to a moment, so behind what was sent at once nothing older can
/// come; an empty sequence point there, which this stream adds, makes the library hand out all. Only of format 4; others pass as they are.
/// </summary>
/// <param name="inner">The stream as the target sends it; stays its owner's.</param>
sealed class PromptStream(Stream inner) : PassingStream
{
    /// <summary>
    /// A block is sent when it is full, with 100 kB, or when nothing is left to send: one that is smaller than half of that was the last.
    /// </summary>
    const int LeastOfFullBlock = 50_000;

    /// <summary>The type of a sequence point: two beginnings, no base type, two versions, and its name with its length.</summary>
    static readonly byte[] Head = [5, 5, 1, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, .. "SPBlock"u8, BlockFinder.EndObject];

    /// <summary>A time, which the library does not look at, and the number of threads whose losses it tells: none.</summary>
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
    /// What follows was aligned by its sender to four bytes from the beginning of the stream, and stays so: content begins at a multiple of
    /// four and one byte ends it, so that it has to be longer by what the place is beyond one. The library does not read that.
    /// </summary>
    static byte[] SequencePoint(long at)
    {
        var beyond = BlockFinder.Padding(1 - at);
        using var block = new MemoryStream();
        new FlightBlock(Head, FlightBlock.SequencePoint, new byte[ContentLength + beyond]).WriteTo(block, at);
        return block.ToArray();
    }

    /// <summary>Tells where the bytes end that were sent at once.</summary>
    sealed class SentAtOnce
    {
        readonly BlockFinder finder;
        bool ended;

        public SentAtOnce() => finder = new(
            _ => { }, (_, kind, content) => ended = kind == FlightBlock.Events && content.Length < LeastOfFullBlock);

        public void Take(ReadOnlySpan<byte> bytes) => finder.Take(bytes);

        /// <summary>Whether the newest byte is the last that was sent at once; true once.</summary>
        public bool TakeEnd()
        {
            var end = ended && finder.IsBetweenBlocks;
            ended &= !end;
            return end;
        }
    }
}
