namespace Tpwatch.Recordings;

/// <summary>
/// Counts lost events while a stream is read; does not dispose the inner stream. The library also counts, but it mistakes a thread that
/// reuses the id of an ended thread for a loss (<c>EventCache.NotifyDroppedEventsIfNeeded</c>, 4.0.0). Supports format 4, in which thread
/// ids are reused.
/// </summary>
sealed class NumberedStream : PassingStream
{
    readonly Stream inner;
    readonly BlockFinder finder;
    readonly WritingThreads threads = new();
    bool understood = true;

    public NumberedStream(Stream inner)
    {
        this.inner = inner;
        finder = new(_ => { }, (_, kind, content) => Take(kind, content));
    }

    /// <summary>Number of lost events so far; null once the stream contains unknown data.</summary>
    public long? Lost => understood && finder.Defect is null ? threads.Lost : null;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        var count = inner.Read(buffer);
        if (understood)
        {
            finder.Take(buffer[..count]);
        }

        return count;
    }

    void Take(string kind, ReadOnlySpan<byte> content)
    {
        try
        {
            if (kind == FlightBlock.Events)
            {
                Events(content);
            }
            else if (kind == FlightBlock.SequencePoint)
            {
                threads.Point(content);
            }
        }
        catch (NotUnderstoodException)
        {
            understood = false;
        }
    }

    void Events(ReadOnlySpan<byte> content)
    {
        var cursor = new Cursor(content);
        EventKinds.SkipHeader(ref cursor);
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
