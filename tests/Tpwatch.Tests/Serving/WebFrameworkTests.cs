using Tpwatch.Serve;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Serving;

/// <summary>Which framework serve takes: the newest that its runtime can run.</summary>
public sealed class WebFrameworkTests : IDisposable
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

        Assert.Equal(taken, Path.GetFileName(WebFramework.Find(folder, runtime)));
    }
}
