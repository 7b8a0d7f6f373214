using System.Collections.Immutable;
using System.IO.Compression;
using System.Reflection;
using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Text;

namespace Tpwatch.Tests.Replay;

/// <summary>The real recordings under tests/Recordings and how tests read them.</summary>
static class TestRecordings
{
    /// <summary>A replay as fast as it can be read takes a fraction of a second; one that takes this long hangs.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    public static readonly string Folder = Path.Combine(
        typeof(TestRecordings).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!,
        "tests", "Recordings");

    /// <summary>Every recording of the folder, in order of name.</summary>
    public static IReadOnlyList<string> All { get; } =
        [.. Directory.GetFiles(Folder, "*.nettrace").Select(Path.GetFileNameWithoutExtension)
            .Order(StringComparer.Ordinal).Select(name => name!)];

    /// <summary>Those of which golden files are made.</summary>
    public static TheoryData<string> Names => ["pool-burst", "sync-over-async", "trickle"];

    public static string File(string name) => Path.Combine(Folder, name + ".nettrace");

    /// <summary>Puts one of those that are no fixture's into a folder, unpacked; its path there.</summary>
    public static async Task<string> UnpackAsync(string name, TempFolder folder)
    {
        var file = folder[name + ".nettrace"];
        await using var packed = System.IO.File.OpenRead(Path.Combine(Folder, "Foreign", name + ".nettrace.gz"));
        await using var unpacked = new GZipStream(packed, CompressionMode.Decompress);
        await using var output = System.IO.File.Create(file);
        await unpacked.CopyToAsync(output, TestContext.Current.CancellationToken);
        return file;
    }

    /// <summary>Each is read once as fast as it can be; a report is immutable, so that all tests may look at the same.</summary>
    static readonly ImmutableDictionary<string, Lazy<Task<PoolReport>>> Reports =
        All.ToImmutableDictionary(
            File, name => new Lazy<Task<PoolReport>>(() => ReadAsync(File(name), speed: null, CancellationToken.None)));

    /// <summary>Replays to the end; the report of it.</summary>
    public static Task<PoolReport> ReplayAsync(string file, double? speed = null) =>
        speed is null && Reports.TryGetValue(file, out var report)
            ? report.Value.WaitAsync(TestContext.Current.CancellationToken)
            : ReadAsync(file, speed, TestContext.Current.CancellationToken);

    static async Task<PoolReport> ReadAsync(string file, double? speed, CancellationToken cancel)
    {
        await using var watch = ThreadPoolWatch.Replay(file, new WatchOptions { ReplaySpeed = speed });
        await watch.Completion.WaitAsync(Limit, cancel);
        return watch.Report();
    }

    public static string Text(PoolReport report) => TextReportRenderer.Render(report, TimeStyle.Utc, showCommandLine: false);

    /// <summary>With a version of its own, so that the text does not change with the tool's.</summary>
    public static string Json(PoolReport report) => JsonReportRenderer.Render(report, DateTime.UnixEpoch, "0.0.0", showCommandLine: false);

    /// <summary>The lines of the decisions as they were judged when they closed.</summary>
    public static string Lines(PoolReport report) =>
        string.Concat(report.Journal.Select(g => new NdjsonLineRenderer(showCommandLine: false).Decision(g, report) + "\n"));
}
