using System.Text.Json.Serialization;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>What was read of the memory of the process; each part is null where it is not known.</summary>
sealed record InsideSection(
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] double? At, double? Ms, int Threads, int Running,
    InsideLimits? Limits, InsideQueueSection? Queue,
    IReadOnlyList<InsideWaitSection> Waits, IReadOnlyList<InsideUnknownSection> Unknown)
{
    /// <summary>That of a report; null without a reading, and the property is left out.</summary>
    public static InsideSection? Of(PoolReport report) => report.Inside is { } reading
        ? Of(reading, Numbers.At(report.Timeline, reading.At)) : null;

    /// <summary>That of a reading.</summary>
    /// <param name="reading">What was read.</param>
    /// <param name="at">When, seconds since the start of the report; null of a dump.</param>
    public static InsideSection Of(InsideReading reading, double? at) => new(
        at, Numbers.Ms(reading.Ms), reading.Threads, reading.Running, reading.Limits,
        reading.Queue is { } queue ? InsideQueueSection.Of(queue) : null,
        [.. reading.Waits.Select(w => new InsideWaitSection(
            w.Frame, w.Call, w.Threads, w.Workers, w.Chain, Words.Of(w.End), Numbers.Ms(w.DueMs), w.Owner, w.Limit))],
        [.. reading.Unknown.Select(u => new InsideUnknownSection(Words.Of(u.Part), u.Why))]);
}

/// <summary>The queues of the pool.</summary>
sealed record InsideQueueSection(
    long Total, long Global, long HighPriority, long LowPriority, long Assignable, long Local, long Named,
    IReadOnlyList<QueuedKindSection> Kinds)
{
    public static InsideQueueSection Of(InsideQueue queue) => new(
        queue.Total, queue.Global, queue.HighPriority, queue.LowPriority, queue.Assignable, queue.Local, queue.Named,
        [.. queue.Kinds.Select(k => new QueuedKindSection(k.Name, k.Items, k.Inside))]);
}

/// <summary>Items of one name.</summary>
sealed record QueuedKindSection(
    string Name, long Items, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] long? Inside);

/// <summary>Threads that wait for the same thing at the same place.</summary>
sealed record InsideWaitSection(
    string Frame, string Call, int Threads, int Workers, IReadOnlyList<string> Chain, string End, double? DueMs, string? Owner,
    int? Limit);

/// <summary>A part that is not known, and why.</summary>
sealed record InsideUnknownSection(string Part, string Why);
