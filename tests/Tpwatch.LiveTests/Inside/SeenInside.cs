using System.Collections.Immutable;
using System.Text.Json;
using Tpwatch.Fixtures.Inside.Truth;

namespace Tpwatch.LiveTests.Inside;

/// <summary>A line of the reader as anybody reads it who has nothing of the tool but its output.</summary>
sealed record SeenInside(JsonElement Root)
{
    /// <summary>Threads that wait, by method and what for.</summary>
    public ImmutableArray<SeenWait> Waits { get; } = [.. All(Root, "waits").Select(SeenWait.Of)];

    /// <summary>Parts that are not known.</summary>
    public ImmutableArray<string> Unknown { get; } = [.. All(Root, "unknown").Select(part => Text(part, "part"))];

    /// <summary>How long it took, milliseconds.</summary>
    public double Ms => Root.GetProperty("ms").GetDouble();

    /// <summary>All managed threads.</summary>
    public int Threads => Root.GetProperty("threads").GetInt32();

    /// <summary>The line, for the message of a test that fails.</summary>
    public string Line => Root.GetRawText();

    /// <summary>Exactly one line, an object.</summary>
    public static SeenInside Parse(string output)
    {
        Assert.EndsWith("\n", output, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', output[..^1]);
        using var document = JsonDocument.Parse(output);
        return new(document.RootElement.Clone());
    }

    /// <summary>Those that wait in a method, named without its namespace.</summary>
    public ImmutableArray<SeenWait> In(string frame) => [.. Waits.Where(wait => IsName(wait.Frame, frame))];

    /// <summary>How many threads wait in a method for what they are said to wait for.</summary>
    public int Right(WaitTruth truth) => In(truth.Frame).Where(wait => wait.IsAs(truth)).Sum(wait => wait.Threads);

    /// <summary>A number of the limits.</summary>
    public int Limit(string name) => Root.GetProperty("limits").GetProperty(name).GetInt32();

    /// <summary>A number of the queue; one that is left out is none.</summary>
    public long Queued(string name) =>
        Root.GetProperty("queue") is var queue && queue.TryGetProperty(name, out var number) ? number.GetInt64() : 0;

    /// <summary>How many items of each name wait.</summary>
    public ImmutableDictionary<string, long> Kinds() => All(Root.GetProperty("queue"), "kinds")
        .ToImmutableDictionary(kind => Text(kind, "name"), kind => kind.GetProperty("items").GetInt64());

    /// <summary>Number of items that resume an async method.</summary>
    public long Resumed() => All(Root.GetProperty("queue"), "kinds")
        .Where(kind => kind.TryGetProperty("resumes", out var resumes) && resumes.GetBoolean())
        .Sum(kind => kind.GetProperty("items").GetInt64());

    /// <summary>Items of a method, named without its namespace.</summary>
    public long Kind(string name) => Kinds().Where(kind => IsName(kind.Key, name)).Sum(kind => kind.Value);

    /// <summary>A text; empty where it is left out.</summary>
    internal static string Text(JsonElement from, string name) =>
        from.TryGetProperty(name, out var text) && text.ValueKind == JsonValueKind.String ? text.GetString()! : "";

    /// <summary>The entries of a list; none where it is left out.</summary>
    internal static IEnumerable<JsonElement> All(JsonElement from, string name) =>
        from.TryGetProperty(name, out var list) && list.ValueKind == JsonValueKind.Array ? list.EnumerateArray() : [];

    /// <summary>Whether a name is that of a method, with or without its namespace; whether it is async must agree.</summary>
    internal static bool IsName(string seen, string name)
    {
        const string Async = "async ";
        return seen.StartsWith(Async, StringComparison.Ordinal) == name.StartsWith(Async, StringComparison.Ordinal)
            && ("." + seen.Replace(Async, "", StringComparison.Ordinal))
                .EndsWith("." + name.Replace(Async, "", StringComparison.Ordinal), StringComparison.Ordinal);
    }
}
