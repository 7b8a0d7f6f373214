using System.Diagnostics;
using System.Runtime.InteropServices;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Packaging;

namespace Tpwatch.LiveTests.Fleet;

/// <summary>Where only the plain runtime is, serve alone does not start, and says what it needs.</summary>
public sealed class AspNetCoreLoadContextTests
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    [Fact(Timeout = 60_000)]
    public async Task Without_the_framework_serve_says_what_it_needs_and_other_commands_run()
    {
        var cancel = TestContext.Current.CancellationToken;
        using var folder = new TempFolder();
        // The host beside the runtime looks for frameworks there alone.
        var root = await SingleRuntime.OfAsync(TargetRuntime.Net11, folder.Path, cancel);
        var host = Path.Combine(root, "dotnet");
        File.Copy(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", "dotnet"), host);
        (await RunAsync(host, "serve", cancel)).IsFailure(4, "ASP.NET Core 11");
        var list = await RunAsync(host, "ps", cancel);
        Assert.True(list.Code == 0, list.Error);
    }

    static Task<ToolRun> RunAsync(string host, string verb, CancellationToken cancel) =>
        ToolRun.Of(new ProcessStartInfo(host, [ToolRun.Tool, verb]), Limit, cancel);
}
