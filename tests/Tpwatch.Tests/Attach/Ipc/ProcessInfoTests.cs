using Tpwatch.Targets;

namespace Tpwatch.Tests.Attach.Ipc;

public sealed class ProcessInfoTests
{
    [Fact]
    public void Version_3_tells_everything() => Assert.Equal(
        new ProcessInfo(4711, ReplyBytes.Cookie, "/srv/shop key=a", "Linux", "x64", "Shop", "10.0.12", "linux-x64"),
        ProcessInfo.Parse(ReplyBytes.Info(3), 3));

    [Fact]
    public void Version_2_leaves_out_the_runtime_identifier() => Assert.Equal(
        new ProcessInfo(4711, ReplyBytes.Cookie, "/srv/shop key=a", "Linux", "x64", "Shop", "10.0.12", null),
        ProcessInfo.Parse(ReplyBytes.Info(2), 2));

    [Fact]
    public void Version_1_leaves_out_assembly_and_version_too() => Assert.Equal(
        new ProcessInfo(4711, ReplyBytes.Cookie, "/srv/shop key=a", "Linux", "x64", null, null, null),
        ProcessInfo.Parse(ReplyBytes.Info(1), 1));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_reply_cut_off_anywhere_is_no_reply(int version)
    {
        var whole = ReplyBytes.Info(version);
        for (var length = 0; length < whole.Length; length++)
        {
            Assert.Null(ProcessInfo.Parse(whole.AsSpan(0, length), version));
        }
    }

    [Theory]
    [InlineData(0xFF)]
    [InlineData(0x7F)]
    public void A_reply_of_nonsense_is_no_reply(byte filler)
    {
        var nonsense = new byte[200];
        Array.Fill(nonsense, filler);
        Assert.Null(ProcessInfo.Parse(nonsense, 3));
    }
}
