using System.IO.Compression;
using System.Xml.Linq;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>The engine in the tests of others: the package, and the example whose test fails of starvation.</summary>
public sealed class ProbesPackageTests
{
    const int LimitMs = 300_000;

    [Fact(Timeout = LimitMs, Explicit = true)]
    public async Task The_example_fails_and_its_message_says_why_and_what_to_do()
    {
        var (exit, output) = await SourceBuild.DotnetAsync(
            $"test tests/Example.Starvation -c {SourceBuild.Configuration} --nologo", TestContext.Current.CancellationToken);
        Assert.NotEqual(0, exit);
        // In this order: what was asserted, the judgement, the finding with its remedy, a wait with its rule, what it rests on.
        string[] told =
        [
            "Twenty_orders_at_once_wait_for_no_worker", "The thread pool starved.",
            "The thread pool was starved for ", "TPW001 serious: Starvation by calls the pool cannot detect",
            "> Find the call that blocks the worker threads", "DOTNET_ThreadPool_ForceMinWorkerThreads=",
            "waits for a worker thread", "Seen in ",
        ];
        var at = 0;
        foreach (var words in told)
        {
            var next = output.IndexOf(words, at, StringComparison.Ordinal);
            Assert.True(next >= 0, $"'{words}' is not told in its place:\n{output}");
            at = next;
        }

        // Orders are few and long, so that the gate finds nothing dequeued again and again, however the service's start met its looks. A
        // busy machine that lengthened the wait is told first, with the same rule behind it.
        Assert.Contains("the gate thread adds one thread if no item was dequeued for more than 500 ms", output, StringComparison.Ordinal);

        // The service that awaits passes.
        Assert.Matches(@"Failed:\s+1, Passed:\s+1", output);
    }

    [Fact(Timeout = LimitMs)]
    public async Task The_package_holds_the_engine_its_documentation_and_its_page()
    {
        using var folder = new TempFolder();
        var (exit, output) = await SourceBuild.DotnetAsync(
            $"pack probes --no-build -c {SourceBuild.Configuration} -o {folder.Path}", TestContext.Current.CancellationToken);
        Assert.True(exit == 0, output);
        using var package = await ZipFile.OpenReadAsync(
            Directory.GetFiles(folder.Path, "Tpwatch.Probes.*.nupkg").Single(), TestContext.Current.CancellationToken);
        Assert.Superset(
            new HashSet<string> { "lib/net10.0/Tpwatch.Probes.dll", "lib/net10.0/Tpwatch.Probes.xml", "README.md" },
            package.Entries.Select(e => e.FullName).ToHashSet());
        await using var nuspec = await package.Entries.Single(e => e.Name == "Tpwatch.Probes.nuspec")
            .OpenAsync(TestContext.Current.CancellationToken);
        var metadata = (await XDocument.LoadAsync(nuspec, LoadOptions.None, TestContext.Current.CancellationToken)).Root!.Elements()
            .Single();
        Assert.Contains(metadata.Elements(), e => e is { Name.LocalName: "license", Value: "MIT" });
        Assert.Equal(
            ["Microsoft.Diagnostics.NETCore.Client", "Microsoft.Diagnostics.Tracing.TraceEvent"],
            metadata.Descendants().Where(e => e.Name.LocalName == "dependency").Select(e => (string?)e.Attribute("id")).Order());
    }
}
