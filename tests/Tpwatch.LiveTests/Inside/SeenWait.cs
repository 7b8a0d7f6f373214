using System.Collections.Immutable;
using System.Text.Json;
using Tpwatch.Fixtures.Inside.Truth;

namespace Tpwatch.LiveTests.Inside;

/// <summary>Threads that wait at one place, as a line of the reader has it.</summary>
sealed record SeenWait(
    string Frame, string Call, int Threads, int Workers, ImmutableArray<string> Chain, string End, string Owner, double? DueMs)
{
    /// <summary>An entry of the list.</summary>
    public static SeenWait Of(JsonElement wait) => new(
        SeenInside.Text(wait, "frame"),
        SeenInside.Text(wait, "call"),
        wait.GetProperty("threads").GetInt32(),
        wait.TryGetProperty("workers", out var workers) ? workers.GetInt32() : 0,
        [.. SeenInside.All(wait, "chain").Select(name => name.GetString()!)],
        SeenInside.Text(wait, "end"),
        SeenInside.Text(wait, "owner"),
        wait.TryGetProperty("dueMs", out var due) && due.ValueKind == JsonValueKind.Number ? due.GetDouble() : null);

    /// <summary>Whether the wait ends where it does in truth, and names what is awaited on the way, in this order.</summary>
    public bool IsAs(WaitTruth truth) => (truth.End.Length == 0 || End == truth.End) && Names(truth.Chain);

    bool Names(ImmutableArray<string> methods)
    {
        var next = 0;
        foreach (var name in Chain)
        {
            if (next < methods.Length && name.Contains(methods[next], StringComparison.Ordinal))
            {
                next++;
            }
        }

        return next == methods.Length;
    }
}
