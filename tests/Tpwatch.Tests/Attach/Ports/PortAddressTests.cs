using Tpwatch.Core;
using Tpwatch.Sessions;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Attach.Ports;

public sealed class PortAddressTests
{
    [Theory]
    [InlineData("/run/p,connect", "/run/p", nameof(PortMode.Connect))]
    [InlineData("/run/p,LISTEN", "/run/p", nameof(PortMode.Listen))]
    [InlineData("/run/a,b,listen", "/run/a,b", nameof(PortMode.Listen))]
    [InlineData("/run/no-such-port", "/run/no-such-port", nameof(PortMode.Listen))]
    public void A_path_and_who_opens_it(string text, string path, string mode) =>
        Assert.Equal(new PortAddress(path, Enum.Parse<PortMode>(mode)), PortAddress.Parse(text));

    [Fact]
    public void A_path_where_a_socket_is_already_is_connected_to()
    {
        using var folder = new TempFolder();
        Assert.Equal(PortMode.Connect, PortAddress.Parse(folder.Write("port", "")).Mode);
    }

    [Theory]
    [InlineData("")]
    [InlineData(",listen")]
    [InlineData("/run/p,suspend")]
    [InlineData("/run/a,b")]
    public void Anything_else_is_code_3(string text) =>
        Assert.Equal(ExitCode.Arguments, Assert.Throws<UserErrorException>(() => PortAddress.Parse(text)).ExitCode);

    [Fact]
    public void A_path_that_the_system_cannot_hold_is_code_3() =>
        Assert.Contains("103 bytes",
            Assert.Throws<UserErrorException>(() => PortAddress.Parse("/" + new string('x', 103))).Message, StringComparison.Ordinal);
}
