using System.Text.Json;
using System.Text.Json.Serialization;
using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Scoring.Truths;

/// <summary>What is kept beside a recording: what really happened in that run, and how it was made.</summary>
/// <param name="Run">The fixture's own record.</param>
/// <param name="Delivered">How much of the stream had reached the reader when; ascending.</param>
sealed record StoredTruth(RunTruth Run, ImmutableArray<Delivery> Delivered)
{
    /// <summary>Runs that did not complete before this one did, each with the reason; the first that completed is kept.</summary>
    public ImmutableArray<string> Incomplete { get; init; } = [];

    /// <summary>The machine's load of the last minute before it began; null where the system does not tell.</summary>
    public double? LoadBefore { get; init; }
}

/// <summary>So many bytes of the stream had been read by then.</summary>
/// <param name="Bytes">Bytes since the start of the stream.</param>
/// <param name="At">Event time: the clock of the stream, read by whoever recorded it.</param>
readonly record struct Delivery(long Bytes, EventTime At);

/// <summary>
/// <c>NAME.truth.json</c> beside <c>NAME.nettrace</c>. Items, hiccups, samples and deliveries are rows of numbers, times in microseconds
/// after the clock anchor of the header: a run of thousands of items stays small.
/// </summary>
static class StoredTruthFile
{
    const string Schema = "tpwatch-truth/1";
    const string Ending = ".truth.json";
    const double TicksPerMicrosecond = 1_000;

    public static string PathFor(string recording) => Path.ChangeExtension(recording, null) + Ending;

    public static StoredTruth Read(string path)
    {
        using var file = File.OpenRead(path);
        var told = JsonSerializer.Deserialize(file, StoredTruthJson.Default.Document)!;
        var zero = told.Header.Anchor.Stopwatch;
        long At(double us) => zero + (long)Math.Round(us * TicksPerMicrosecond);
        var run = new RunTruth(
            told.Header,
            Items(told.Items, At),
            [.. told.Hiccups.Select(row => new TruthHiccup { At = At(row[0]), OvershootMs = row[1] })],
            told.End)
        {
            Figures = told.Figures,
            Pool = [.. told.Pool.Select(row => new TruthPool
            {
                At = At(row[0]), Threads = (int)row[1], Pending = (long)row[2],
                Completed = (long)row[3], Min = (int)row[4], Max = (int)row[5], CpuMs = row[6],
            })],
        };
        return new(run, [.. told.Delivered.Select(row => new Delivery((long)row[0], new(At(row[1]))))])
        {
            Incomplete = told.Incomplete,
            LoadBefore = told.LoadBefore,
        };
    }

    public static void Write(string path, StoredTruth truth)
    {
        var run = truth.Run;
        double Us(long at) => Math.Round((at - run.Header.Anchor.Stopwatch) / TicksPerMicrosecond);
        var document = new Document
        {
            Schema = Schema,
            Header = run.Header,
            LoadBefore = truth.LoadBefore,
            Incomplete = truth.Incomplete,
            Items = Rows(run.Items, Us),
            Figures = run.Figures,
            Hiccups = [.. run.Hiccups.Select(hiccup => new[] { Us(hiccup.At), hiccup.OvershootMs })],
            Pool = [.. run.Pool
                .Select(seen => new[] { Us(seen.At), seen.Threads, seen.Pending, seen.Completed, seen.Min, seen.Max, seen.CpuMs })],
            Delivered = [.. truth.Delivered.Select(one => new[] { one.Bytes, Us(one.At.Nanoseconds) })],
            End = run.End,
        };
        File.WriteAllText(path, JsonSerializer.Serialize(document, StoredTruthJson.Default.Document) + "\n");
    }

    static ImmutableArray<TruthItem> Items(ImmutableArray<double?[]> rows, Func<double, long> at)
    {
        var items = ImmutableArray.CreateBuilder<TruthItem>(rows.Length);
        var enqueued = 0.0;
        foreach (var row in rows)
        {
            enqueued += row[0]!.Value;
            var started = row.Length > 1 ? enqueued + row[1] : null;
            var ended = row.Length > 1 ? started + row[2] : null;
            items.Add(new TruthItem
            {
                Id = items.Count,
                Enqueued = at(enqueued),
                Started = started is { } begun ? at(begun) : null,
                Ended = ended is { } over ? at(over) : null,
                ManagedThread = row.Length > 1 ? (int?)row[3] : null,
                OsThread = row.Length > 1 ? (int?)row[4] : null,
            });
        }

        return items.MoveToImmutable();
    }

    // In the order queued, each after the one before: most items of a starved run never start, and are one short number.
    static ImmutableArray<double?[]> Rows(ImmutableArray<TruthItem> items, Func<long, double> us)
    {
        var rows = ImmutableArray.CreateBuilder<double?[]>(items.Length);
        var before = 0.0;
        foreach (var item in items)
        {
            var enqueued = us(item.Enqueued);
            rows.Add(item.Started is { } started
                ? [enqueued - before, us(started) - enqueued,
                    item.Ended is { } ended ? us(ended) - us(started) : null, item.ManagedThread, item.OsThread]
                : [enqueued - before]);
            before = enqueued;
        }

        return rows.MoveToImmutable();
    }

    internal sealed record Document
    {
        public required string Schema { get; init; }

        public required TruthHeader Header { get; init; }

        public double? LoadBefore { get; init; }

        public required ImmutableArray<string> Incomplete { get; init; }

        /// <summary>
        /// Queued since the item before; of one that started: after so long, for so long (null while it runs), managed thread, thread of
        /// the operating system.
        /// </summary>
        public required ImmutableArray<double?[]> Items { get; init; }

        public required ImmutableArray<TruthFigure> Figures { get; init; }

        /// <summary>Woken at, overshoot in milliseconds.</summary>
        public required ImmutableArray<double[]> Hiccups { get; init; }

        /// <summary>At, threads, pending, completed, min, max, processor time in milliseconds.</summary>
        public required ImmutableArray<double[]> Pool { get; init; }

        /// <summary>Bytes, at.</summary>
        public required ImmutableArray<double[]> Delivered { get; init; }

        public required TruthEnd End { get; init; }
    }
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(StoredTruthFile.Document))]
sealed partial class StoredTruthJson : JsonSerializerContext;
