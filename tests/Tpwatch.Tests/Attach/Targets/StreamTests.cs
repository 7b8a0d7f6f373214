using System.Net.Sockets;
using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Sessions;

namespace Tpwatch.Tests.Attach.Targets;

[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
public sealed class StreamTests : IDisposable
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    readonly TempFolder folder = new();

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData(false, new long[] { 0, 3, 5 })]
    [InlineData(true, new long[] { 0, 5 })]
    public void A_tapped_stream_passes_everything_on_and_calls_before_each_read_of_its_source(bool isPrompt, long[] calls)
    {
        List<long> positions = [];
        using MemoryStream inner = new([1, 2, 3, 4, 5]);
        using EventStream tapped = new(inner) { BeforeRead = () => positions.Add(inner.Position), IsPrompt = isPrompt };
        var buffer = new byte[3];
        Assert.Equal([3, 2, 0], (int[])[tapped.Read(buffer, 0, 3), tapped.Read(buffer, 0, 3), tapped.Read(buffer, 0, 3)]);
        Assert.Equal(calls, positions);
    }

    [Fact]
    public void A_recording_is_a_copy_that_only_its_owner_may_read()
    {
        using (var file = RecordingFile.Create(folder["a"], limitBytes: 100))
        {
            ReadAll([1, 2, 3, 4, 5], file);
            Assert.Equal((5, null), (file.Bytes, file.Remark));
        }

        Assert.Equal([1, 2, 3, 4, 5], File.ReadAllBytes(folder["a"]));
        Assert.Equal(OwnerOnly, File.GetUnixFileMode(folder["a"]));
    }

    [Fact]
    public void A_file_under_dev_that_is_no_device_is_private_too()
    {
        Assert.SkipUnless(Directory.Exists("/dev/shm"), "only Linux has files under /dev");
        var path = $"/dev/shm/{Path.GetRandomFileName()}";
        try
        {
            File.WriteAllText(path, "");
            File.SetUnixFileMode(path, OwnerOnly | UnixFileMode.OtherRead);
            PrivateFile.Create(path).Dispose();
            Assert.Equal(OwnerOnly, File.GetUnixFileMode(path));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void What_takes_the_place_of_a_file_that_everybody_could_read_is_closed_to_others()
    {
        folder.Write("a", "something longer than what comes");
        File.SetUnixFileMode(folder["a"], OwnerOnly | UnixFileMode.OtherRead);
        using (var file = RecordingFile.Create(folder["a"], limitBytes: 100, over: true))
        {
            ReadAll([7], file);
        }

        Assert.Equal([7], File.ReadAllBytes(folder["a"]));
        Assert.Equal(OwnerOnly, File.GetUnixFileMode(folder["a"]));
    }

    [Fact]
    public void Nothing_that_is_there_is_opened_and_no_link_is_followed()
    {
        folder.Write("precious", "mine");
        File.CreateSymbolicLink(folder["link"], folder["precious"]);
        File.CreateSymbolicLink(folder["nowhere"], folder["not there"]);
        foreach (var name in (string[])["precious", "link", "nowhere"])
        {
            Assert.Throws<UserErrorException>(() => RecordingFile.Create(folder[name], limitBytes: 100));
        }

        foreach (var name in (string[])["link", "nowhere"])
        {
            RecordingFile.Create(folder[name], limitBytes: 100, over: true).Dispose();
            Assert.Null(new FileInfo(folder[name]).LinkTarget);
        }

        Assert.Equal("mine", File.ReadAllText(folder["precious"]));
        Assert.False(File.Exists(folder["not there"]));
    }

    [Fact]
    public void At_its_limit_a_recording_ends_with_a_remark_and_reading_goes_on()
    {
        using var file = RecordingFile.Create(folder["a"], limitBytes: 4);
        Assert.Equal(6, ReadAll([1, 2, 3, 4, 5, 6], file));
        Assert.Equal((4, "The recording reached its limit of 4 bytes and stopped before the session ended."), (file.Bytes, file.Remark));
    }

    [Fact]
    public void A_full_disk_ends_a_recording_with_a_remark_and_reading_goes_on()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "only Linux has a disk that is always full");
        var before = File.GetUnixFileMode("/dev/full");
        using var file = RecordingFile.Create("/dev/full", limitBytes: 100);
        Assert.Equal(6, ReadAll([1, 2, 3, 4, 5, 6], file));
        Assert.StartsWith("The recording ended early: No space left on device", file.Remark, StringComparison.Ordinal);
        Assert.Equal(before, File.GetUnixFileMode("/dev/full"));
    }

    [Fact]
    public void A_recording_that_cannot_be_created_is_refused_at_once()
    {
        var e = Assert.Throws<UserErrorException>(() => RecordingFile.Create(folder["no/such/folder"], 100));
        Assert.Equal(ExitCode.Arguments, e.ExitCode);
    }

    [Fact]
    public void A_connection_that_is_cut_ends_like_any_stream()
    {
        using BrokenStream broken = new();
        using ConnectionStream ending = new(broken);
        Assert.Equal(0, ending.Read(new byte[3], 0, 3));
    }

    [Theory]
    [InlineData("our side closes")]
    [InlineData("the target closes")]
    [InlineData("the target sends no more")]
    public async Task A_reader_that_waits_sees_the_end_whoever_ends_the_connection(string how)
    {
        using Socket listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        using Socket ours = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        UnixDomainSocketEndPoint path = new(folder["s"]);
        listener.Bind(path);
        listener.Listen();
        await ours.ConnectAsync(path, Cancel);
        using var target = await listener.AcceptAsync(Cancel);
        await using NetworkStream connection = new(ours, ownsSocket: true);
        using ConnectionStream ending = new(connection);
        target.Send([1, 2]);
        Assert.Equal(2, ending.Read(new byte[3], 0, 3));

        var rest = Task.Run(() => ending.Read(new byte[3], 0, 3), Cancel);
        await Task.Delay(TimeSpan.FromMilliseconds(50), Cancel);
        Assert.False(rest.IsCompleted);
        new Dictionary<string, Action>
        {
            ["our side closes"] = connection.Dispose,
            ["the target closes"] = target.Dispose,
            ["the target sends no more"] = () => target.Shutdown(SocketShutdown.Send),
        }[how]();

        Assert.Equal(0, await rest.WaitAsync(TimeSpan.FromSeconds(30), Cancel));
    }

    static int ReadAll(byte[] bytes, RecordingFile file)
    {
        using EventStream tapped = new(new MemoryStream(bytes)) { Copy = file.Write };
        var buffer = new byte[3];
        var total = 0;
        while (tapped.Read(buffer, 0, buffer.Length) is > 0 and var count)
        {
            total += count;
        }

        return total;
    }

    sealed class BrokenStream : ForwardOnlyStream
    {
        public override int Read(Span<byte> buffer) => throw new IOException("Connection reset by peer");
    }
}
