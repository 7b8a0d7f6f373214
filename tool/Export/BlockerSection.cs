using System.Text.Json.Serialization;
using Tpwatch.Diagnosis;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for a place in the user's code that blocks worker threads.</summary>
sealed record BlockerSection(
    string Frame, IReadOnlyList<string> Through, double? Share, int Threads, string Kind, string? Resource, string ResourceKind,
    IReadOnlyList<string> Stack,
    string? Call, long Samples, string? Owner, IReadOnlyList<HeldPointSection> OverTime,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<RouteShareSection>? Requests = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<ResourceShareSection>? Waits = null)
{
    /// <summary>Returns the blockers of a report; null if no stacks were taken, and the JSON has no such property.</summary>
    public static IReadOnlyList<BlockerSection>? Of(PoolReport report) => report.Blockers is not { } blockers
        ? null
        : [.. blockers.Select(b => new BlockerSection(
            b.Frame, b.Through, Numbers.Share(b.Share), b.Threads, Words.Of(b.Kind),
            CulpritWords.Resource(b, report.Bursts?.WaitsFor), Words.Of(b.Resource), b.Stack,
            b.Call, b.Samples, b.Owner, [.. b.OverTime.Select(p => new HeldPointSection(Numbers.At(report.Timeline, p.At), p.Threads))],
            b.Routes.IsEmpty ? null : [.. b.Routes.Select(r => new RouteShareSection(r.Route, Numbers.Share(r.Share), r.Sure))],
            b.Waits.IsEmpty ? null : [.. b.Waits.Select(w => new ResourceShareSection(Words.Of(w.Resource), Numbers.Share(w.Share)))]))];
}

/// <summary>A resource that the threads of a blocker wait for, with its share of the blocker's samples.</summary>
sealed record ResourceShareSection(string Resource, double? Share);

/// <summary>Number of worker threads blocked at a place in the stack burst that was taken at <paramref name="At"/> (ms).</summary>
sealed record HeldPointSection(double At, int Threads);

/// <summary>JSON object for the stack bursts that the blockers come from.</summary>
sealed record BurstsSection(
    int Count, long Samples, double? PausedMs, string WaitsFor, IReadOnlyList<string> Remarks, IReadOnlyList<BurstSection> Taken)
{
    /// <summary>Returns the stack bursts of a report; null if no stacks were requested.</summary>
    public static BurstsSection? Of(PoolReport report) => report.Bursts is not { } bursts ? null : new(
        bursts.Taken.Length, bursts.Samples, Numbers.Ms(bursts.PausedMs), Words.Of(bursts.WaitsFor), bursts.Remarks,
        [.. bursts.Taken.Select(b => new BurstSection(
            Numbers.At(report.Timeline, b.At), Numbers.Ms(b.Ms), b.Workers, b.IsReading ? true : null))]);
}

/// <summary>One stack burst, or one memory reading.</summary>
sealed record BurstSection(
    double At, double? Ms, int Workers, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] bool? Reading = null);
