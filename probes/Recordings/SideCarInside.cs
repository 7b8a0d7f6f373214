using System.Text.Json.Serialization;
using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// One reading of the process's memory in a side-car; see <see cref="InsideReading"/>. Its stacks and locks are stored with the bursts.
/// </summary>
/// <param name="AtNs">Start of the reading, nanoseconds of the monotonic clock.</param>
/// <param name="Ms">Duration of the reading, milliseconds.</param>
sealed record SideCarInside(long AtNs, double Ms)
{
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public InsideLimits? Limits { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public InsideQueue? Queue { get; init; }

    /// <summary>The waits of blocked threads.</summary>
    public ImmutableArray<InsideWait> Waits { get; init; } = [];

    /// <summary>Threads that wait for each other's locks.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LockCycle? Deadlock { get; init; }

    /// <summary>Number of managed threads.</summary>
    public int Threads { get; init; }

    /// <summary>Number of managed threads that ran during the reading.</summary>
    public int Running { get; init; }

    /// <summary>The parts that are not known, each with the reason.</summary>
    public ImmutableArray<InsideUnknown> Unknown { get; init; } = [];

    internal InsideReading Reading => new()
    {
        At = new(AtNs),
        Ms = Ms,
        Limits = Limits,
        Queue = Queue,
        Waits = Waits,
        Deadlock = Deadlock,
        Threads = Threads,
        Running = Running,
        Unknown = Unknown,
    };

    internal static SideCarInside Of(InsideReading reading) => new(reading.At.Nanoseconds, Math.Round(reading.Ms, 3))
    {
        Limits = reading.Limits,
        Queue = reading.Queue,
        Waits = reading.Waits,
        Deadlock = reading.Deadlock,
        Threads = reading.Threads,
        Running = reading.Running,
        Unknown = reading.Unknown,
    };
}
