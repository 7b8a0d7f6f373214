using System.Collections.Immutable;
using Tpwatch.Scoring.Recorded;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Stored;

/// <summary>The runs of tests/Recordings, each read once and shared: what the engine says of them now, beside what they were.</summary>
static class StoredRuns
{
    public static ImmutableArray<string> Names { get; } = RecordedRun.Names(TestRecordings.Folder);

    static readonly ImmutableDictionary<string, Lazy<Task<RecordedRun>>> Read =
        Names.ToImmutableDictionary(
            name => name, name => new Lazy<Task<RecordedRun>>(() => Task.Run(() => RecordedRun.ReadAsync(TestRecordings.Folder, name))));

    public static Task<RecordedRun> ReadAsync(string name) => Read[name].Value.WaitAsync(TestContext.Current.CancellationToken);

    public static async Task<ObservedRun> OfAsync(string name) => (await ReadAsync(name)).Run;
}
