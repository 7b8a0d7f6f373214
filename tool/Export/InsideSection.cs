using System.Text.Json.Serialization;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for a memory reading; unknown parts are null.</summary>
sealed record InsideSection(
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] double? At, double? Ms, int Threads, int Running,
    InsideLimits? Limits, InsideQueueSection? Queue,
    IReadOnlyList<InsideWaitSection> Waits, IReadOnlyList<InsideUnknownSection> Unknown)
{
    /// <summary>Returns the memory reading of a report; null without a reading, and the JSON has no such property.</summary>
    public static InsideSection? Of(PoolReport report) => report.Inside is { } reading
        ? Of(reading, Numbers.At(report.Timeline, reading.At)) : null;

    /// <summary>Converts a memory reading.</summary>
    /// <param name="reading">The memory reading.</param>
    /// <param name="at">Time of the reading, milliseconds since the start of the capture; null for a dump.</param>
    public static InsideSection Of(InsideReading reading, double? at) => new(
        at, Numbers.Ms(reading.Ms), reading.Threads, reading.Running, reading.Limits,
        reading.Queue is { } queue ? InsideQueueSection.Of(queue) : null,
        [.. reading.Waits.Select(w => new InsideWaitSection(
            w.Frame, w.Call, w.Threads, w.Workers, w.Chain, Words.Of(w.End), Numbers.Ms(w.DueMs), w.Owner, w.Limit))],
        [.. reading.Unknown.Select(u => new InsideUnknownSection(Words.Of(u.Part), u.Why))]);
}

/// <summary>Number of items in each queue of the pool, and the kinds of items.</summary>
sealed record InsideQueueSection(
    long Total, long Global, long HighPriority, long LowPriority, long Assignable, long Local, long Named,
    IReadOnlyList<QueuedKindSection> Kinds)
{
    public static InsideQueueSection Of(InsideQueue queue) => new(
        queue.Total, queue.Global, queue.HighPriority, queue.LowPriority, queue.Assignable, queue.Local, queue.Named,
        [.. queue.Kinds.Select(k => new QueuedKindSection(k.Name, k.Items, k.Resumes, k.Inside))]);
}

/// <summary>Number of queued items of one kind.</summary>
sealed record QueuedKindSection(
    string Name, long Items, bool Resumes, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] long? Inside);

/// <summary>Threads that wait for the same object at the same place.</summary>
sealed record InsideWaitSection(
    string Frame, string Call, int Threads, int Workers, IReadOnlyList<string> Chain, string End, double? DueMs, string? Owner,
    int? Limit);

/// <summary>A part of the memory reading that is unknown, and the reason.</summary>
sealed record InsideUnknownSection(string Part, string Why);
