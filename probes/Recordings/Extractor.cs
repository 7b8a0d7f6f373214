namespace Tpwatch.Recordings;

/// <summary>
/// Reads a recording of everybody's making and leaves what somebody looks at: of 77 million events some thousands. Headers are read, what
/// follows them is passed over. The extract tells the library the same, in the same order and with the same losses, as the whole would:
/// beside the events that are wanted it has the first one, those by which a loss shows, and the newest one before an older one, each
/// without what it says; for the moments of these count. <see cref="NotUnderstoodException"/> when anything is not as it should be.
/// </summary>
sealed class Extractor
{
    readonly BlockReader reader;
    readonly ExtractWriter writer;
    readonly EventKinds kinds;
    readonly WritingThreads threads = new();
    readonly StackIds stacks = new();
    readonly EventOrder order;
    readonly List<KeptEvent> kept = [];
    readonly Stack<int> free = [];
    Waiting? newest;
    long told;
    bool begun;

    public Extractor(Stream stream, WantedEvents wanted, Stream output)
    {
        (reader, writer, kinds) = (new(stream), new(output), new(wanted));
        order = new(HandOut);
    }

    /// <summary>
    /// Reads to the end; <paramref name="goOn"/> is asked after each block, with what was read and what is left of it, bytes.
    /// </summary>
    public void Run(Func<long, long, bool> goOn)
    {
        writer.Head(reader.Head());
        for (var more = true; more;)
        {
            more = Take(reader.Next(out var content), content);
            if (!goOn(reader.Passed, writer.Length))
            {
                throw new NotUnderstoodException("too few events that could be left out");
            }
        }
    }

    /// <summary>False at the end.</summary>
    bool Take(StreamBlockKind kind, ReadOnlySpan<byte> content)
    {
        switch (kind)
        {
            case StreamBlockKind.Events: Events(content); break;
            case StreamBlockKind.Descriptions: Descriptions(content); break;
            case StreamBlockKind.Stacks: stacks.Take(content); break;
            case StreamBlockKind.SequencePoint: SequencePoint(content); break;
            case StreamBlockKind.End: HandOut(long.MaxValue); writer.End(proper: true); return false;
            // What waits for its turn never has it.
            default: writer.End(proper: false); return false;
        }

        return true;
    }

    void Descriptions(ReadOnlySpan<byte> content)
    {
        kinds.Take(content);
        writer.Descriptions(content);
    }

    void Events(ReadOnlySpan<byte> content)
    {
        var cursor = new Cursor(content);
        EventKinds.SkipHeader(ref cursor);
        var ahead = cursor;
        EventHeader header = default;
        header.Read(ref ahead);
        var thread = threads.Of(header.Capture, header.Sequence - 1);
        header = default;
        while (!cursor.AtEnd)
        {
            header.Read(ref cursor);
            var payload = cursor.Take(header.Length);
            thread.LastTime = header.Time;
            thread = header.Sorted ? threads.Of(header.Capture, header.Sequence - 1) : thread;
            threads.Wrote(thread, header.Sequence);
            Waiting waiting = new(header.Time, header.Kind, kinds.Keeps(header.Kind, header.Length) ? Keep(header, payload) : -1);
            if (header.Sorted)
            {
                HandOut(header.Time);
                HandOut(waiting);
            }
            else
            {
                order.Add(thread.Events, waiting);
            }
        }
    }

    void SequencePoint(ReadOnlySpan<byte> content)
    {
        HandOut(long.MaxValue);
        threads.Point(content);
        stacks.Forget();
    }

    int Keep(in EventHeader header, ReadOnlySpan<byte> payload)
    {
        KeptEvent held = new(header, payload.ToArray());
        if (free.TryPop(out var place))
        {
            kept[place] = held;
            return place;
        }

        kept.Add(held);
        return kept.Count - 1;
    }

    /// <summary>Everything older: at once where none of it is kept and none needed to tell of a loss.</summary>
    void HandOut(long until)
    {
        if (!begun || threads.Lost != told || order.PassOver(until) is not { } passed)
        {
            order.HandOut(until);
        }
        else if (passed.Time > long.MinValue && (newest is null || passed.Time > newest.Value.Time))
        {
            newest = passed;
        }
    }

    void HandOut(Waiting waiting)
    {
        if (waiting.Kept >= 0)
        {
            Write(kept[waiting.Kept].Header, kept[waiting.Kept].Payload);
            kept[waiting.Kept] = default;
            free.Push(waiting.Kept);
        }
        else if (!begun || threads.Lost != told)
        {
            Write(new EventHeader { Kind = waiting.Kind, Time = waiting.Time }, []);
        }
        else if (newest is null || waiting.Time > newest.Value.Time)
        {
            newest = waiting;
        }
    }

    void Write(in EventHeader header, ReadOnlySpan<byte> payload)
    {
        var gap = threads.Lost - told;
        if (gap > int.MaxValue || (!begun && gap > 0))
        {
            throw new NotUnderstoodException("a loss that its event numbers do not show");
        }

        // What the session knew by the newest moment is told before a loss, and before an older moment.
        if (newest is { } older && (gap > 0 || older.Time > header.Time))
        {
            writer.Event(new EventHeader { Kind = older.Kind, Time = older.Time }, [], 0);
        }

        writer.Event(header, payload, (int)gap);
        (told, begun, newest) = (threads.Lost, true, null);
    }
}
