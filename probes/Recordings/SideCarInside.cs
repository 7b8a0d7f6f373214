using System.Text.Json.Serialization;
using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// One reading of the process's memory as a side-car holds it; see <see cref="InsideReading"/>. Its stacks and locks are among the bursts.
/// </summary>
/// <param name="AtNs">When it began, nanoseconds of the monotonic clock.</param>
/// <param name="Ms">How long it took, milliseconds.</param>
sealed record SideCarInside(long AtNs, double Ms)
{
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public InsideLimits? Limits { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public InsideQueue? Queue { get; init; }

    /// <summary>What blocked threads wait for.</summary>
    public ImmutableArray<InsideWait> Waits { get; init; } = [];

    /// <summary>Threads that wait for each other's locks.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LockCycle? Deadlock { get; init; }

    /// <summary>Managed threads.</summary>
    public int Threads { get; init; }

    /// <summary>Those that ran.</summary>
    public int Running { get; init; }

    /// <summary>What is not known, and why.</summary>
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
