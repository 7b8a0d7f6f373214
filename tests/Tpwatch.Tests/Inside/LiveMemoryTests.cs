using System.Globalization;
using System.Runtime.InteropServices;
using Tpwatch.Inside;

namespace Tpwatch.Tests.Inside;

/// <summary>The test's own memory, read as that of a running process is read.</summary>
public sealed class LiveMemoryTests
{
    const int Page = 16 * 1024;

    // Three pages, of which at least two are whole.
    readonly byte[] place = GC.AllocateArray<byte>(3 * Page, pinned: true);

    int Start => (int)((Page - Address(0) % Page) % Page);

    [Fact]
    public void What_a_pointer_leads_to_is_read_as_it_is_when_the_pointer_is_read()
    {
        using var memory = LiveMemory.Open(Environment.ProcessId);
        var (pointer, entry) = (Start, Start + Page);
        // Something else of the entry's page is read first, as of a table that grows.
        Assert.Equal(0UL, memory.ReadPointer(Address(entry + 64)));

        BitConverter.TryWriteBytes(place.AsSpan(entry), 17L);
        BitConverter.TryWriteBytes(place.AsSpan(pointer), Address(entry));
        Assert.Equal(17UL, memory.ReadPointer(memory.ReadPointer(Address(pointer))));
    }

    [Fact]
    public void Objects_are_read_from_pages_that_are_kept()
    {
        using var memory = LiveMemory.Open(Environment.ProcessId);
        var kept = new PageCache(memory);
        place[8] = 1;
        Assert.Equal(1, kept.Read<byte>(Address(8)));
        place[8] = 2;
        Assert.Equal(1, kept.Read<byte>(Address(8)));
        Assert.Equal(2, new PageCache(memory).Read<byte>(Address(8)));
    }

    [Fact]
    public void A_read_across_pages_is_whole()
    {
        using var memory = LiveMemory.Open(Environment.ProcessId);
        place.AsSpan().Fill(7);
        var read = new byte[Page];
        Assert.Equal(Page, new PageCache(memory).Read(Address(Start + Page / 2), read));
        Assert.DoesNotContain((byte)0, read);
    }

    [Fact]
    public void Where_nothing_is_mapped_nothing_is_read()
    {
        using var memory = LiveMemory.Open(Environment.ProcessId);
        Assert.Equal(0, memory.Read(8, new byte[8]));
        Assert.Equal(0, new PageCache(memory).Read(8, new byte[8]));
        Assert.False(new PageCache(memory).Read<long>(ulong.MaxValue - 15, out _));
    }

    ulong Address(int index) => (ulong)Marshal.UnsafeAddrOfPinnedArrayElement(place, index);
}

/// <summary>Threads of which the kernel says whether they ran.</summary>
public sealed class ThreadRunDetectorTests : IDisposable
{
    const uint Thread = 11;

    readonly string folder = Directory.CreateTempSubdirectory("tpwatch-threads").FullName;

    public ThreadRunDetectorTests()
    {
        Directory.CreateDirectory(Path.Combine(folder, "task", Thread.ToString(CultureInfo.InvariantCulture)));
        Write("S", "1000 20 3");
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);

    [Fact]
    public void A_thread_without_processor_time_stood_still() => Assert.True(StoodStill("S", "1000 20 3"));

    [Fact]
    public void One_that_ran_did_not() => Assert.False(StoodStill("S", "1001 20 4"));

    [Fact]
    public void Nor_did_one_that_only_waits_for_a_processor() => Assert.False(StoodStill("R", "1000 20 3"));

    [Fact]
    public void Nor_did_one_that_was_ready_to_run_at_first()
    {
        Write("R", "1000 20 3");
        Assert.False(StoodStill("S", "1000 20 3"));
    }

    [Fact]
    public void Nor_did_one_that_came_later()
    {
        var detector = new ThreadRunDetector(folder);
        detector.Mark();
        Assert.False(detector.StoodStill(Thread + 1));
    }

    bool StoodStill(string state, string account)
    {
        var detector = new ThreadRunDetector(folder);
        detector.Mark();
        Write(state, account);
        return detector.StoodStill(Thread);
    }

    // A thread may name itself so that its name looks like the end of the name and a state.
    void Write(string state, string account)
    {
        var task = Path.Combine(folder, "task", Thread.ToString(CultureInfo.InvariantCulture));
        File.WriteAllText(Path.Combine(task, "stat"), $"{Thread} (a) R (b) {state} {string.Join(' ', Enumerable.Range(1, 40))}\n");
        File.WriteAllText(Path.Combine(task, "schedstat"), account + "\n");
    }
}
