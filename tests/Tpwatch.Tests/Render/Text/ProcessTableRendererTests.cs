using Tpwatch.Text;

namespace Tpwatch.Tests.Render.Text;

public sealed class ProcessTableRendererTests
{
    static readonly ProcessRow[] Rows =
    [
        new(41822, "OrderApi", "10.0.12", "www-data", "/usr/bin/dotnet /srv/OrderApi.dll --password secret"),
        new(7, "worker", null, null, null),
    ];

    [Fact]
    public void The_table_looks_like_its_golden_file() =>
        Golden.Verify("Render/ps.txt", ProcessTableRenderer.Render(Rows, showCommandLine: false, width: null));

    [Fact]
    public void Containers_have_a_column_where_there_are_any()
    {
        var table = ProcessTableRenderer.Render([Rows[0] with { Container = "0123456789ab" }, Rows[1]], false, null).Split('\n');
        Assert.Equal(
            ["pid", "name", "runtime", "user", "container", "command", "line"], table[0].Split(' ', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains("  www-data  0123456789ab  dotnet OrderApi.dll ...", table[2], StringComparison.Ordinal);
    }

    [Fact]
    public void A_terminal_cuts_long_lines() =>
        Assert.All(ProcessTableRenderer.Render(Rows, true, 40).Split('\n'), line => Assert.True(line.Length <= 40, line));

    [Theory]
    [InlineData("/usr/bin/dotnet /srv/OrderApi.dll --password x", "dotnet OrderApi.dll ...")]
    [InlineData("/srv/OrderApi --password x", "OrderApi ...")]
    [InlineData("dotnet --roll-forward Major /srv/OrderApi.dll --password x", "dotnet OrderApi.dll ...")]
    [InlineData(@"C:\dotnet\dotnet.exe C:\srv\OrderApi.dll --password x", "dotnet.exe OrderApi.dll ...")]
    [InlineData("/srv/OrderApi", "OrderApi")]
    [InlineData("dotnet exec app.dll", "dotnet app.dll")]
    [InlineData("", "")]
    public void A_short_command_line_has_no_arguments(string whole, string shortened) =>
        Assert.Equal(shortened, Tpwatch.Targets.TargetCommandLine.Shorten(whole));
}
