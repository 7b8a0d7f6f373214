using System.Buffers;
using System.Buffers.Binary;

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

/// <summary>
/// Stacks are left out. The library refuses a stream in which an id is given twice between two sequence points, so it is looked at all the
/// same.
/// </summary>
sealed class StackIds
{
    int next = int.MinValue;

    /// <summary>A sequence point: ids may be used again.</summary>
    public void Forget() => next = int.MinValue;

    /// <summary>Takes a block of stacks.</summary>
    public void Take(ReadOnlySpan<byte> content)
    {
        var cursor = new Cursor(content);
        var (first, count) = (cursor.Int32(), cursor.Int32());
        var seen = 0;
        for (; !cursor.AtEnd; seen++)
        {
            cursor.Take(cursor.Int32());
        }

        if (first < next || seen != count || first > int.MaxValue - seen)
        {
            throw new NotUnderstoodException("stacks out of order");
        }

        next = first + seen;
    }
}

/// <summary>
/// Writes a stream of format 4 that holds certain events in the order in which they are handed out: one writing thread, each event complete
/// up to its moment, so that its reader has nothing to sort. Lost events are a gap in that thread's numbers.
/// </summary>
sealed class ExtractWriter(Stream output)
{
    /// <summary>A header that names everything but a stack.</summary>
    const byte NamesAll = 1 | 2 | 4 | 16 | 32 | 64 | 128;

    const short HeaderBytes = 20;
    const short Compressed = 1;
    const int LongestBlock = 1 << 16;
    const int Alignment = 4;
    const byte Null = 1;
    const byte EndObject = 6;
    const int Writer = 1;

    readonly ArrayBufferWriter<byte> block = new(LongestBlock);
    uint sequence;
    uint inBlock;
    long time;

    static ReadOnlySpan<byte> EventBlock => "\u0005\u0005\u0001\u0002\0\0\0\u0002\0\0\0\u000a\0\0\0EventBlock\u0006"u8;
    static ReadOnlySpan<byte> DescriptionBlock => "\u0005\u0005\u0001\u0002\0\0\0\u0002\0\0\0\u000d\0\0\0MetadataBlock\u0006"u8;

    /// <summary>Bytes so far.</summary>
    public long Length => output.Position + block.WrittenCount;

    /// <summary>What the stream begins with, as it was.</summary>
    public void Head(ReadOnlySpan<byte> bytes) => output.Write(bytes);

    /// <summary>Descriptions, as they were.</summary>
    public void Descriptions(ReadOnlySpan<byte> content)
    {
        Flush();
        Object(DescriptionBlock, content);
    }

    /// <summary>The next event, before which so many were lost.</summary>
    public void Event(in EventHeader header, ReadOnlySpan<byte> payload, int lost)
    {
        if (block.WrittenCount == 0)
        {
            Begin();
        }

        // The library takes a count of zero for that of a thread whose id was used before, and sees no gap after it.
        sequence = unchecked(sequence + 1 + (uint)lost);
        if (sequence == 0)
        {
            throw new NotUnderstoodException("more events than can be counted");
        }

        block.Write([NamesAll]);
        Number((uint)header.Kind);
        Number(unchecked(sequence - inBlock - 1));
        Number(Writer);
        Number(0);
        Number((ulong)header.Thread);
        Number((ulong)(header.Time - time));
        Identity(header.Activity);
        Identity(header.RelatedActivity);
        Number((uint)payload.Length);
        block.Write(payload);
        (inBlock, time) = (sequence, header.Time);
        if (block.WrittenCount > LongestBlock)
        {
            Flush();
        }
    }

    /// <summary>The end; of a stream that broke off there is none.</summary>
    public void End(bool proper)
    {
        Flush();
        if (proper)
        {
            output.WriteByte(Null);
        }
    }

    void Begin()
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        header.Clear();
        BinaryPrimitives.WriteInt16LittleEndian(header, HeaderBytes);
        BinaryPrimitives.WriteInt16LittleEndian(header[sizeof(short)..], Compressed);
        block.Write(header);
        (inBlock, time) = (0, 0);
    }

    void Flush()
    {
        if (block.WrittenCount > 0)
        {
            Object(EventBlock, block.WrittenSpan);
            block.ResetWrittenCount();
        }
    }

    void Object(ReadOnlySpan<byte> head, ReadOnlySpan<byte> content)
    {
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, content.Length);
        output.Write(head);
        output.Write(length);
        output.Write("\0\0\0"u8[..(int)((Alignment - output.Position % Alignment) % Alignment)]);
        output.Write(content);
        output.WriteByte(EndObject);
    }

    void Identity(Guid value)
    {
        Span<byte> bytes = stackalloc byte[16];
        value.TryWriteBytes(bytes);
        block.Write(bytes);
    }

    void Number(ulong value)
    {
        for (; value > 0x7F; value >>= 7)
        {
            block.Write([(byte)(value | 0x80)]);
        }

        block.Write([(byte)value]);
    }
}

/// <summary>
/// The order in which the library hands events out: threads write in blocks of their own, and events of all of them are merged by time up
/// to the last moment that is known to be complete. Of two events of one moment it must be the same one that comes first, so the tree is
/// kept in the same way: built over all threads that have something waiting, in the order in which they began to.
/// </summary>
sealed class EventOrder(Action<Waiting> next)
{
    readonly HashSet<WaitingEvents> active = [];
    readonly List<(long Time, WaitingEvents Events)> tree = [];
    readonly List<(long Time, WaitingEvents Events)> emptied = [];

    /// <summary>An event that cannot be handed out yet.</summary>
    public void Add(WaitingEvents events, in Waiting waiting)
    {
        if (events.Count == 0)
        {
            active.Add(events);
        }

        events.Add(waiting);
    }

    /// <summary>
    /// The newest of everything older than <paramref name="until"/>, which is gone then; null where it must be handed out one by one, since
    /// some of it is kept, a thread's events are not in the order of time, or which thread had its last turn first is not sure.
    /// </summary>
    public Waiting? PassOver(long until)
    {
        emptied.Clear();
        foreach (var events in active)
        {
            if (events.Kept > 0 || events.Newest.Time != events.Last.Time)
            {
                return null;
            }

            if (events.Newest.Time < until)
            {
                emptied.Add((events.Last.Time, events));
            }
        }

        return InOrder() ? Newest(until) : null;
    }

    /// <summary>Hands out everything older than <paramref name="until"/>.</summary>
    public void HandOut(long until)
    {
        Build(until);
        while (tree.Count > 0)
        {
            var events = tree[0].Events;
            next(events.Take());
            if (events.Count > 0 && events.First.Time is var following && following < until)
            {
                tree[0] = (following, events);
                Settle(0);
                continue;
            }

            if (events.Count == 0)
            {
                active.Remove(events);
            }

            RemoveFirst();
        }
    }

    /// <summary>Puts those that are empty afterwards in the order of their last events; false where two of these have one moment.</summary>
    bool InOrder()
    {
        if (emptied.Count > 1)
        {
            emptied.Sort(static (one, other) => one.Time.CompareTo(other.Time));
            for (var i = 1; i < emptied.Count; i++)
            {
                if (emptied[i].Time == emptied[i - 1].Time)
                {
                    return false;
                }
            }
        }

        return true;
    }

    Waiting Newest(long until)
    {
        Waiting newest = new(long.MinValue, 0, -1);
        foreach (var (_, events) in emptied)
        {
            newest = events.Newest.Time > newest.Time ? events.Newest : newest;
            events.Clear();
            active.Remove(events);
        }

        foreach (var events in active)
        {
            while (events.First.Time < until)
            {
                var passed = events.Take();
                newest = passed.Time > newest.Time ? passed : newest;
            }
        }

        return newest;
    }

    void Build(long until)
    {
        tree.Clear();
        foreach (var events in active)
        {
            if (events.First.Time < until)
            {
                tree.Add((events.First.Time, events));
            }
        }

        for (var i = tree.Count / 2 - 1; i >= 0; i--)
        {
            Settle(i);
        }
    }

    void RemoveFirst()
    {
        tree[0] = tree[^1];
        tree.RemoveAt(tree.Count - 1);
        if (tree.Count > 0)
        {
            Settle(0);
        }
    }

    void Settle(int at)
    {
        while (true)
        {
            var (left, right, least) = (2 * at + 1, 2 * at + 2, at);
            least = left < tree.Count && tree[left].Time < tree[least].Time ? left : least;
            least = right < tree.Count && tree[right].Time < tree[least].Time ? right : least;
            if (least == at)
            {
                return;
            }

            (tree[at], tree[least]) = (tree[least], tree[at]);
            at = least;
        }
    }
}
