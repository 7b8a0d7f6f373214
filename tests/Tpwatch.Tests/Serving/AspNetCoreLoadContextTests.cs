using Tpwatch.Serve;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Serving;

/// <summary>Which framework serve takes: the newest that its runtime can run.</summary>
public sealed class AspNetCoreLoadContextTests : IDisposable
{
    readonly TempFolder root = new();

    public void Dispose() => root.Dispose();

    [Theory]
    [InlineData(10, "10.0.9 10.0.12", "10.0.12")]
    [InlineData(10, "9.0.20 10.0.12 11.0.0", "10.0.12")]
    [InlineData(11, "10.0.12 11.0.0-rc.1.25451.107", "11.0.0-rc.1.25451.107")]
    [InlineData(11, "10.0.12", "10.0.12")]
    [InlineData(10, "9.0.20 11.0.0 notes", null)]
    [InlineData(10, "", null)]
    public void The_newest_that_runs_on_the_runtime_is_taken(int runtime, string installed, string? taken)
    {
        var folder = Directory.CreateDirectory(root[Path.Combine("shared", "Microsoft.NETCore.App", "x")]).FullName;
        foreach (var version in installed.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            Directory.CreateDirectory(root[Path.Combine("shared", "Microsoft.AspNetCore.App", version)]);
        }

        Assert.Equal(taken, Path.GetFileName(AspNetCoreLoadContext.Find(folder, runtime)));
    }

    [Fact]
    public void Next_to_a_program_that_carries_its_runtime_none_is_taken()
    {
        Directory.CreateDirectory(root[Path.Combine("Microsoft.AspNetCore.App", "10.0.12")]);
        var folder = Directory.CreateDirectory(root[Path.Combine("tools", "tpwatch")]).FullName;

        Assert.Null(AspNetCoreLoadContext.Find(folder, 10));
        Assert.Null(AspNetCoreLoadContext.Find(folder + Path.DirectorySeparatorChar, 10));
    }
}
