namespace Tpwatch.Recordings;

/// <summary>
/// Counts lost events while a stream is read; does not dispose the inner stream. The library also counts, but it mistakes a thread that
/// reuses the id of an ended thread for a loss (<c>EventCache.NotifyDroppedEventsIfNeeded</c>, 4.0.0). Supports format 4, in which thread
/// ids are reused.
/// </summary>
sealed class NumberedStream(Stream inner) : PassingStream
{
    readonly NettraceBlocks blocks = new();
    readonly WritingThreads threads = new();
    bool understood = true;

    /// <summary>Number of lost events so far; null once the stream contains unknown data.</summary>
    public long? Lost => understood && blocks.Defect is null ? threads.Lost : null;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        var count = inner.Read(buffer);
        if (understood)
        {
            blocks.Append(buffer[..count]);
            Take();
        }

        return count;
    }

    void Take()
    {
        try
        {
            while (blocks.TryNext(out var block))
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
