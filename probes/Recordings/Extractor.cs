using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Tpwatch.Recordings;

/// <summary>
/// Copies the events that a reader wants from a recording of any tool, such as some thousands of 77 million events. All headers are read;
/// the payloads of unwanted events are skipped. From the extract, the TraceEvent library reports the wanted events in the same order and
/// with the same losses as from the whole recording. For that, the extract also has some unwanted events without payloads: the first event,
/// the first event after a loss, and the newest event before a loss or before an event with an earlier time. Throws
/// <see cref="UnsupportedTraceException"/> for unexpected data.
/// </summary>
sealed class Extractor
{
    /// <summary>Newest block version that this class can read; a block's head has it at offset <see cref="VersionAt"/>.</summary>
    const int NewestBlock = 2;

    const int VersionAt = 3;

    /// <summary>Initial size of the reader's buffer, bytes.</summary>
    const int Room = 1 << 18;

    readonly Stream stream;
    readonly NettraceBlocks blocks = new(Room);
    readonly ExtractWriter writer;
    readonly EventKinds kinds;
    readonly EventSequenceTracker threads = new();
    readonly StackIds stacks = new();
    readonly EventOrder order;
    readonly List<ExtractedEvent> kept = [];
    readonly Stack<int> free = [];
    PendingEvent? newest;
    long told;
    bool begun;

    public Extractor(Stream stream, EventFilter wanted, Stream output)
    {
        (this.stream, writer, kinds) = (stream, new(output), new(wanted));
        order = new(HandOut);
    }

    /// <summary>
    /// Reads the recording to its end. After each block, calls <paramref name="goOn"/> with the number of bytes read and the number of
    /// bytes extracted so far. Throws <see cref="UnsupportedTraceException"/> if <paramref name="goOn"/> returns false.
    /// </summary>
    public void Run(Func<long, long, bool> goOn)
    {
        do
        {
            while (blocks.TryNext(out var block))
            {
                Take(block);
                Require(goOn(blocks.Passed, writer.Length), "too few events that could be left out");
            }

            Require(blocks.Defect is null, blocks.Defect);
        }
        while (!blocks.Ended && blocks.Append(stream));

        // If a block lacks only its end tag, the library reads the block and then fails, which no extract can reproduce.
        Require(!blocks.LacksOnlyEnd, "a block without an end");
        Require(blocks.Passed > 0, "another format than 4");
        if (blocks.Ended)
        {
            HandOut(long.MaxValue);
        }

        // If the stream broke off, some events still wait. They are not in the extract, because the library never hands them out.
        writer.End(proper: blocks.Ended);
        Require(goOn(blocks.Passed, writer.Length), "too few events that could be left out");
    }

    static void Require(bool holds, string? otherwise)
    {
        if (!holds)
        {
            throw new UnsupportedTraceException(otherwise!);
        }
    }

    void Take(in NettraceBlock block)
    {
        if (block.Kind == NettraceBlockKind.Header)
        {
            Require(new TraceHeader(block.Content.ToArray()).IsVersion4, "another format than 4");
            writer.Head(block.Content);
            return;
        }

        Require(BinaryPrimitives.ReadInt32LittleEndian(block.Head.AsSpan(VersionAt)) <= NewestBlock, "an object of another kind");
        switch (block.Kind)
        {
            case NettraceBlockKind.Events: Events(block.Content); break;
            case NettraceBlockKind.Metadata: Metadata(block.Content); break;
            case NettraceBlockKind.Stacks: stacks.Take(block.Content); break;
            case NettraceBlockKind.SequencePoint: SequencePoint(block.Content); break;
            default: throw new UnsupportedTraceException("a block of another kind");
        }
    }

    void Metadata(ReadOnlySpan<byte> content)
    {
        kinds.Take(content);
        writer.Metadata(content);
    }

    void Events(ReadOnlySpan<byte> content)
    {
        var cursor = EventHeader.FirstOf(content);
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
            PendingEvent waiting = new(header.Time, header.Kind, kinds.Keeps(header.Kind, header.Length) ? Keep(header, payload) : -1);
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
        ExtractedEvent held = new(header, payload.ToArray());
        if (free.TryPop(out var place))
        {
            kept[place] = held;
            return place;
        }

        kept.Add(held);
        return kept.Count - 1;
    }

    /// <summary>
    /// Hands out all events older than <paramref name="until"/>. Skips all of them at once if none is wanted and no new loss must be shown.
    /// </summary>
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

    void HandOut(PendingEvent waiting)
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
        var delay = threads.Lost - told;
        if (delay > int.MaxValue || (!begun && delay > 0))
        {
            throw new UnsupportedTraceException("a loss that its event numbers do not show");
        }

        // Before a loss or an event with an earlier time, writes the newest skipped event: the library then sees the newest time.
        if (newest is { } older && (delay > 0 || older.Time > header.Time))
        {
            writer.Event(new EventHeader { Kind = older.Kind, Time = older.Time }, [], 0);
        }

        writer.Event(header, payload, (int)delay);
        (told, begun, newest) = (threads.Lost, true, null);
    }
}

/// <summary>An event that a reader wants, with its header and payload but without its stack.</summary>
readonly record struct ExtractedEvent(EventHeader Header, byte[] Payload);

/// <summary>The kinds of events that a stream describes, and which of them a reader wants.</summary>
sealed class EventKinds(EventFilter wanted)
{
    /// <summary>Maximum id of a description. Ids count from 1, so a higher id means a damaged stream.</summary>
    const int Most = 1 << 20;

    /// <summary>Id of the event in which a provider describes its events. This event changes how the library reads the others.</summary>
    const int Manifest = 0xFFFE;

    /// <summary>Value in <see cref="kept"/> for a kind of event that is described but not wanted.</summary>
    const int LeftOut = -1;

    /// <summary>Minimum payload length in bytes, by kind of event; null for a kind without a description.</summary>
    int?[] kept = new int?[1 << 10];

    /// <summary>
    /// Whether the extract keeps an event of a kind. Throws if the payload is shorter than the kind's minimum: the library would read
    /// beyond the payload, where the extract has other bytes than the recording.
    /// </summary>
    public bool Keeps(int kind, int length) =>
        (uint)kind >= (uint)kept.Length || kept[kind] is not { } least
            ? throw new UnsupportedTraceException("an event without a description")
        : least == LeftOut ? false
        : length >= least ? true
        : throw new UnsupportedTraceException("an event that is too short");

    /// <summary>Reads a block of metadata.</summary>
    public void Take(ReadOnlySpan<byte> content)
    {
        var cursor = EventHeader.FirstOf(content);
        EventHeader header = default;
        while (!cursor.AtEnd)
        {
            header.Read(ref cursor);
            Describe(new BlockReader(cursor.Take(header.Length)));
        }
    }

    void Describe(BlockReader description)
    {
        var kind = description.Int32();
        var provider = Text(ref description);
        var id = (ushort)description.Int32();
        if (kind is <= 0 or > Most || (kind < kept.Length && kept[kind] is not null))
        {
            throw new UnsupportedTraceException("a kind of event that is described twice");
        }

        if (kind >= kept.Length)
        {
            Array.Resize(ref kept, Math.Max(kind + 1, kept.Length * 2));
        }

        kept[kind] = wanted.LeastOf(provider, id) ?? (id == Manifest ? 0 : LeftOut);
    }

    static string Text(ref BlockReader cursor)
    {
        var rest = cursor;
        var all = MemoryMarshal.Cast<byte, char>(rest.Take(rest.Left / sizeof(char) * sizeof(char)));
        var length = all.IndexOf('\0');
        if (length < 0)
        {
            throw new UnsupportedTraceException("a name without an end");
        }

        cursor.Take((length + 1) * sizeof(char));
        return new string(all[..length]);
    }
}

/// <summary>
/// Checks the ids of stacks, although the extract contains no stacks. The library rejects a stream in which an id occurs twice between two
/// sequence points, so the extractor does the same.
/// </summary>
sealed class StackIds
{
    int next = int.MinValue;

    /// <summary>Handles a sequence point, after which ids may be used again.</summary>
    public void Forget() => next = int.MinValue;

    /// <summary>Reads a block of stacks.</summary>
    public void Take(ReadOnlySpan<byte> content)
    {
        var cursor = new BlockReader(content);
        var (first, count) = (cursor.Int32(), cursor.Int32());
        var seen = 0;
        for (; !cursor.AtEnd; seen++)
        {
            cursor.Take(cursor.Int32());
        }

        if (first < next || seen != count || first > int.MaxValue - seen)
        {
            throw new UnsupportedTraceException("stacks out of order");
        }

        next = first + seen;
    }
}

/// <summary>
/// Writes the extract, a stream of format 4, with the events in the order in which the library hands them out. All events have the same
/// writing thread and are marked as sorted, so the library does not sort them. A loss is a range of missing sequence numbers.
/// </summary>
sealed class ExtractWriter(Stream output)
{
    /// <summary>Flags of an event header that contains every field except the stack.</summary>
    const byte NamesAll = 1 | 2 | 4 | 16 | 32 | 64 | 128;

    const int LongestBlock = 1 << 16;
    const int Writer = 1;

    static readonly byte[] EventHead = NettraceBlocks.Head("EventBlock"u8);
    static readonly byte[] MetadataHead = NettraceBlocks.Head("MetadataBlock"u8);

    readonly ArrayBufferWriter<byte> block = new(LongestBlock);
    uint sequence;
    uint inBlock;
    long time;

    public long Length => output.Position + block.WrittenCount;

    public void Head(ReadOnlySpan<byte> bytes) => output.Write(bytes);

    public void Metadata(ReadOnlySpan<byte> content)
    {
        Flush();
        NettraceBlocks.Write(output, output.Position, MetadataHead, content);
    }

    /// <summary>Writes the next event, before which <paramref name="lost"/> events were lost.</summary>
    public void Event(in EventHeader header, ReadOnlySpan<byte> payload, int lost)
    {
        if (block.WrittenCount == 0)
        {
            Begin();
        }

        // After sequence number zero, the library assumes a new thread with a reused id and detects no loss.
        sequence = unchecked(sequence + 1 + (uint)lost);
        if (sequence == 0)
        {
            throw new UnsupportedTraceException("more events than can be counted");
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

    /// <summary>Ends the stream, with an end mark only if the recording ends properly.</summary>
    public void End(bool proper)
    {
        Flush();
        if (proper)
        {
            output.WriteByte(NettraceBlocks.NullReference);
        }
    }

    void Begin()
    {
        Span<byte> header = stackalloc byte[EventHeader.BlockHeaderBytes];
        header.Clear();
        BinaryPrimitives.WriteInt16LittleEndian(header, EventHeader.BlockHeaderBytes);
        BinaryPrimitives.WriteInt16LittleEndian(header[sizeof(short)..], EventHeader.Compressed);
        block.Write(header);
        (inBlock, time) = (0, 0);
    }

    void Flush()
    {
        if (block.WrittenCount > 0)
        {
            NettraceBlocks.Write(output, output.Position, EventHead, block.WrittenSpan);
            block.ResetWrittenCount();
        }
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
/// Hands out waiting events in the same order as the library. Each thread writes its own blocks. The library merges the events of all
/// threads by time, up to the last moment for which no event is missing. The order of events with equal times depends on the library's
/// heap. This class builds the same heap: its threads are in the order in which their first waiting events arrived.
/// </summary>
sealed class EventOrder(Action<PendingEvent> next)
{
    readonly HashSet<PendingEventQueue> active = [];
    readonly List<(long Time, PendingEventQueue Events)> tree = [];
    readonly List<(long Time, PendingEventQueue Events)> emptied = [];

    /// <summary>Adds an event that cannot be handed out yet.</summary>
    public void Add(PendingEventQueue events, in PendingEvent waiting)
    {
        if (events.Count == 0)
        {
            active.Add(events);
        }

        events.Add(waiting);
    }

    /// <summary>
    /// Removes all events older than <paramref name="until"/> and returns the newest, or an event at <c>long.MinValue</c> if there is none.
    /// Returns null and removes nothing if the order matters: an event is wanted, a thread's last event is not its newest, or the last
    /// events of two threads have equal times.
    /// </summary>
    public PendingEvent? PassOver(long until)
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

    /// <summary>Hands out all events older than <paramref name="until"/>, one by one.</summary>
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

    /// <summary>Sorts the threads that become empty by the times of their last events; returns whether all these times differ.</summary>
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

    PendingEvent Newest(long until)
    {
        PendingEvent newest = new(long.MinValue, 0, -1);
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
