using System.Buffers.Binary;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Scoring.Extracts;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Recordings;

/// <summary>
/// A stored stream is sent as its target sent it, a part at a time: the reader is told all of a part before it waits for the next, and the
/// same facts in the same order as by the library alone.
/// </summary>
public sealed class EventStreamTests
{
    /// <summary>Ends a stream.</summary>
    const byte End = 1;

    [Fact]
    public async Task The_facts_and_their_order_are_those_of_the_library_alone()
    {
        foreach (var name in TestRecordings.All)
        {
            var parts = await PartsAsync(name);

            var (alone, end) = Facts(new MemoryStream(Joined(parts)));
            var (prompt, promptEnd) = Facts(new SentParts(parts, () => { }), isPrompt: true);

            Assert.True(end == promptEnd, name);
            Assert.True(alone.SequenceEqual(prompt), $"{name}: {alone.Count} facts, {prompt.Count} where they are handed out at once");
        }
    }

    [Fact]
    public async Task All_of_a_part_is_told_before_the_next_is_waited_for()
    {
        var parts = await PartsAsync("pool-burst");

        // A stream that ends here: the library hands out whatever it has.
        int[] whole =
            [.. Enumerable.Range(1, parts.Count - 1).Select(sent => Facts(new MemoryStream([.. Joined(parts[..sent]), End])).Told.Count)];

        Assert.Equal(whole, ToldAtWaits(parts, isPrompt: true));
        Assert.NotEqual(whole, ToldAtWaits(parts, isPrompt: false));
    }

    [Fact]
    public void What_is_no_such_stream_passes_as_it_is()
    {
        byte[] other = [.. "Nettrace"u8, 0, 0, 0, 0, 6, 0, 0, 0, .. Enumerable.Range(0, 200).Select(i => (byte)i)];
        using var passed = new MemoryStream();

        new EventStream(new MemoryStream(other)) { IsPrompt = true }.CopyTo(passed);

        Assert.Equal(other, passed.ToArray());
    }

    [Theory]
    [InlineData(2, 0L)]
    [InlineData(1_000_000, null)]
    public async Task A_sequence_point_of_more_threads_than_a_process_has_is_not_understood(int count, long? lost)
    {
        using var sent = new MemoryStream();
        sent.Write((await PartsAsync("pool-burst"))[0]);
        var threads = new byte[count * (sizeof(long) + sizeof(int))];
        for (var i = 0; i < count; i++)
            BitConverter.TryWriteBytes(threads.AsSpan(i * (sizeof(long) + sizeof(int))), (long)i);
        byte[] content = [.. new byte[sizeof(long)], .. BitConverter.GetBytes(count), .. threads];
        NettraceBlocks.Write(sent, sent.Position, NettraceBlocks.Head("SPBlock"u8), content);
        sent.Position = 0;
        var stream = new EventStream(sent);

        stream.CopyTo(Stream.Null);

        Assert.Equal(lost, stream.Lost);
    }

    [Fact]
    public async Task A_loss_is_told_at_the_same_event_however_much_is_read_at_once()
    {
        var parts = await PartsAsync("pool-burst");
        var losses = 0;

        // What follows a part stays aligned where the part's length is a multiple of four.
        foreach (var left in Enumerable.Range(1, parts.Count - 2).Where(i => parts[i].Length % 4 == 0))
        {
            var bytes = Joined([.. parts.Where((_, index) => index != left)]);
            var (inSmallPieces, _) = Facts(new SentParts([.. bytes.Chunk(64)], () => { }), isPrompt: true);
            var (inLargePieces, _) = Facts(new MemoryStream(bytes), isPrompt: true);
            Assert.Equal(inSmallPieces, inLargePieces);
            losses += inLargePieces.Count(fact => fact is EventsLost);
        }

        Assert.NotEqual(0, losses);
    }

    /// <summary>How many facts were told each time the reader waits for another part, but for the first.</summary>
    static int[] ToldAtWaits(List<byte[]> parts, bool isPrompt)
    {
        var log = new FactLog();
        List<int> told = [];
        var sent = new SentParts(parts, () => told.Add(log.Facts.Count));
        new EventDecoder(null, ProbeSet.ForRecording()).Decode(new(sent) { IsPrompt = isPrompt }, log);
        return [.. told[1..parts.Count]];
    }

    static (IReadOnlyList<IFact> Told, bool End) Facts(Stream stream, bool isPrompt = false)
    {
        var log = new FactLog();
        var end = new EventDecoder(null, ProbeSet.ForRecording()).Decode(new(stream) { IsPrompt = isPrompt }, log);
        return (log.Facts, end);
    }

    static byte[] Joined(IEnumerable<byte[]> parts) => [.. parts.SelectMany(part => part)];

    /// <summary>Cut behind each block of events that is not full, as the runtime sends them; the first has what stands before it.</summary>
    static async Task<List<byte[]>> PartsAsync(string name)
    {
        const int HeaderLength = 102, NameAt = 15, Full = 50_000;
        var bytes = await File.ReadAllBytesAsync(TestRecordings.File(name), TestContext.Current.CancellationToken);
        List<byte[]> parts = [];
        var (begin, at) = (0, HeaderLength);
        while (at < bytes.Length && bytes[at] != End)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at + NameAt - sizeof(int)));
            var isEvents = bytes.AsSpan(at + NameAt, length).SequenceEqual("EventBlock"u8);
            at += NameAt + length + 1;
            var size = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at));
            at = (at + sizeof(int) + 3) / 4 * 4 + size + 1;
            if (isEvents && size < Full)
            {
                parts.Add(bytes[begin..at]);
                begin = at;
            }
        }

        return [.. parts, bytes[begin..]];
    }

    /// <summary>Gives a part at a time, and says before each that it is waited for.</summary>
    sealed class SentParts(List<byte[]> parts, Action waited) : ForwardOnlyStream
    {
        int next;
        ReadOnlyMemory<byte> rest;

        public override int Read(Span<byte> buffer)
        {
            if (rest.IsEmpty)
            {
                waited();
                rest = next < parts.Count ? parts[next++] : default;
            }

            var count = Math.Min(buffer.Length, rest.Length);
            rest.Span[..count].CopyTo(buffer);
            rest = rest[count..];
            return count;
        }
    }
}
