using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// What the delivered tool said of a live process, in the middle of its incident, beside what the process says of itself.
/// </summary>
/// <param name="Pid">The process.</param>
/// <param name="Report">Standard output of `report`.</param>
/// <param name="Stacks">Standard output of `report --depth stacks`.</param>
/// <param name="Lines">Standard output of the plain watch.</param>
/// <param name="Runtime">Version of the runtime that the tool ran on, by that runtime's own word.</param>
/// <param name="Truth">What really happened.</param>
sealed record DeliveredLook(int Pid, JsonElement Report, JsonElement Stacks, string[] Lines, string Runtime, RunTruth Truth)
{
    /// <summary>A line tells whole milliseconds, and the two clocks were related once, at the start of the process.</summary>
    const double StampMs = 2;

    public string Verdict => Report.GetProperty("summary").GetProperty("verdict").GetString()!;

    public string FirstFinding => Report.GetProperty("findings").EnumerateArray().First().GetProperty("id").GetString()!;

    /// <summary>Methods that are said to hold workers, the one with most first; none when no stacks were read.</summary>
    public string[] Blocking => Stacks.TryGetProperty("blockers", out var blockers)
        ? [.. blockers.EnumerateArray().Select(blocker => blocker.GetProperty("frame").GetString()!)]
        : [];

    /// <summary>The lines that tell of a worker added for starvation: when, on the clock of the truth, and the how manieth it is.</summary>
    public (long At, int Worker)[] Injections() =>
    [
        .. Lines.Select(line => line.Split(' ')).Where(words => words is [_, "Starvation", ..])
            .Select(words => (At(words[0]), int.Parse(words[2].Split("->")[1], CultureInfo.InvariantCulture))),
    ];

    /// <summary>Items that waited at a moment.</summary>
    public int WaitingAt(long at) => Truth.Items.Count(item => item.Enqueued <= at && (item.Started is not { } started || started > at));

    /// <summary>Whether the worker of an injection had its first item, and not before it.</summary>
    public bool Begins(long injection, int worker) => Truth.Appearances() is var workers && workers.Length >= worker
        && Truth.Ms(injection, workers[worker - 1].Started!.Value) >= -StampMs;

    public override string ToString() => $"on .NET {Runtime}\n{string.Join('\n', Lines)}\n{Report}\n{Stacks}";

    long At(string utc)
    {
        var since = DateTime.Parse(
            utc, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal)
            - Truth.Header.Anchor.Utc;
        return Truth.Header.Anchor.Stopwatch + (long)(since.TotalSeconds * Stopwatch.Frequency);
    }
}
