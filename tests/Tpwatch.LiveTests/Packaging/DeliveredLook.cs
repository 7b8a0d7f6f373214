using System.Diagnostics;
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

    /// <summary>
    /// A worker that is injected takes an item that waits within this; the gate adds the next no sooner than after 500 ms.
    /// </summary>
    const double TakesMs = 250;

    public string Verdict => Report.GetProperty("summary").GetProperty("verdict").GetString()!;

    public string FirstFinding => Report.GetProperty("findings").EnumerateArray().First().GetProperty("id").GetString()!;

    /// <summary>Methods that are said to hold workers, the one with most first; none when no stacks were read.</summary>
    public string[] Blocking => Stacks.TryGetProperty("blockers", out var blockers)
        ? [.. blockers.EnumerateArray().Select(blocker => blocker.GetProperty("frame").GetString()!)]
        : [];

    /// <summary>Moments of the lines that tell of a worker added for starvation, on the clock of the truth.</summary>
    public long[] Injections() => [.. Lines.Where(line => line.Split(' ') is [_, "Starvation", ..]).Select(line => At(line.Split(' ')[0]))];

    /// <summary>Items that waited at a moment.</summary>
    public int WaitingAt(long at) => Truth.Items.Count(item => item.Enqueued <= at && (item.Started is not { } started || started > at));

    /// <summary>When workers began that never had an item before, from the first of these injections to the last.</summary>
    public long[] WorkersOf(long[] injections) =>
    [
        .. Truth.Appearances().Select(item => item.Started!.Value)
            .Where(at => Truth.Ms(injections[0], at) >= -StampMs && Truth.Ms(injections[^1], at) <= TakesMs),
    ];

    /// <summary>Whether a worker began after an injection.</summary>
    public bool Follows(long injection, long worker) => Truth.Ms(injection, worker) >= -StampMs;

    public override string ToString() => $"on .NET {Runtime}\n{string.Join('\n', Lines)}\n{Report}\n{Stacks}";

    long At(string utc)
    {
        var since = DateTime.Parse(
            utc, System.Globalization.CultureInfo.InvariantCulture, System.Globalization.DateTimeStyles.AdjustToUniversal)
            - Truth.Header.Anchor.Utc;
        return Truth.Header.Anchor.Stopwatch + (long)(since.TotalSeconds * Stopwatch.Frequency);
    }
}
