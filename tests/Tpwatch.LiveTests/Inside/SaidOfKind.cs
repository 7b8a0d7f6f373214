using System.Collections.Immutable;
using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Tpwatch.Fixtures.Inside.Kinds;

namespace Tpwatch.LiveTests.Inside;

/// <summary>What a report says of a kind of wait.</summary>
/// <param name="Verdict">The verdict.</param>
/// <param name="Resource">What most of the workers wait for; null where it did not say.</param>
/// <param name="Frame">And in which method.</param>
/// <param name="Min">The min that it advises; null where it advises none.</param>
sealed partial record SaidOfKind(string Verdict, string? Resource, string? Frame, int? Min)
{
    /// <summary>Whether that depends on what the report names.</summary>
    public bool IsConditional { get; private init; }

    /// <summary>Whether it says that none helps.</summary>
    public bool Refused { get; private init; }

    /// <summary>Ids of the findings that are more than a note.</summary>
    public ImmutableArray<string> Alarms { get; private init; } = [];

    /// <summary>What it advises, each once, the first first.</summary>
    public ImmutableArray<string> Remedies { get; private init; } = [];

    /// <summary>Reads a report of the format json.</summary>
    public static SaidOfKind Parse(string json)
    {
        using var document = JsonDocument.Parse(json);
        var report = document.RootElement;
        var first = report.TryGetProperty("blockers", out var blockers) && blockers.GetArrayLength() > 0 ? blockers[0] : (JsonElement?)null;
        string[] remedies =
        [
            .. report.GetProperty("findings").EnumerateArray().SelectMany(f => f.GetProperty("remedies").EnumerateArray())
                .Select(r => r.GetProperty("text").GetString()!),
        ];
        var min = remedies.Select(text => MinSetting.Match(text)).FirstOrDefault(match => match.Success);
        return new(
            report.GetProperty("summary").GetProperty("verdict").GetString()!,
            first?.GetProperty("resourceKind").GetString(), first?.GetProperty("frame").GetString(),
            min is null ? null : int.Parse(min.Groups["min"].Value, CultureInfo.InvariantCulture))
        {
            IsConditional = min?.Groups["before"].Value.Contains(", if", StringComparison.Ordinal) == true,
            Alarms =
            [
                .. report.GetProperty("findings").EnumerateArray().Where(f => f.GetProperty("severity").GetString() != "note")
                    .Select(f => f.GetProperty("id").GetString()!),
            ],
            Remedies = [.. remedies.Distinct()],
            Refused = remedies.Any(text => text.StartsWith("Do not raise MinThreads:", StringComparison.Ordinal)),
        };
    }

    /// <summary>What a report may say that most of the workers wait for: the truth, and what cannot be told from it.</summary>
    public static string[] Allowed(WaitKind kind, bool readsMemory) => kind.Name switch
    {
        // Stacks do not show what a task waits for; a memory that is not read in time on a crowded machine leaves it to them.
        "channel" when readsMemory => [kind.Resource, "task"],
        "channel" => ["task"],

        // Compiled for speed the wait has no frame of its own, before that one of a wait handle; the mutex may lie in a register.
        "mutex" or "monitor-wait" or "join" or "process" => [kind.Resource, "unseen", "event"],

        // About half of the threads wait for an answer, the others for a connection.
        "http" => [kind.Resource, "httpConnection"],

        // Readers that have the lock sleep; between two writers most of them do.
        "read-lock" => [kind.Resource, "sleep"],
        _ => [kind.Resource],
    };

    [GeneratedRegex(@"^(?<before>.*?)set MinThreads to (?<min>\d+)")]
    static partial Regex MinSetting { get; }
}
