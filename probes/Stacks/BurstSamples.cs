using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>The samples of one stack burst.</summary>
/// <param name="At">Event time of the first sample.</param>
/// <param name="Ms">Time from the first sample to the last, milliseconds.</param>
/// <param name="Stacks">The stacks; a thread that was sampled at several places has several stacks.</param>
sealed record BurstSamples(EventTime At, double Ms, ImmutableArray<SampledStack> Stacks)
{
    /// <summary>Waits for locks during the burst, with the owners of the locks; empty if lock events were not recorded.</summary>
    public ImmutableArray<LockAwaited> Locks { get; init; } = [];

    /// <summary>Whether the stacks were read from the memory of the running target; each thread then has one sample.</summary>
    public bool IsReading { get; init; }

    /// <summary>Whether no frame has a method name, as in a NativeAOT program, which compiles nothing at run time.</summary>
    public bool NamesNothing => Stacks.All(s => s.Frames.All(f => f.EndsWith(BurstStreamDecoder.Nameless, StringComparison.Ordinal)));
}

/// <summary>A stack of a thread, with its number of samples.</summary>
/// <param name="ThreadId">OS id of the thread.</param>
/// <param name="Samples">Number of samples with this stack.</param>
/// <param name="Running">Whether the thread was in managed code and could run; otherwise it was in native code or waiting.</param>
/// <param name="Frames">The frames, innermost first, as <c>module!Namespace.Type.Method(arguments)</c>; without a module if the runtime
/// names none.</param>
sealed record SampledStack(int ThreadId, int Samples, bool Running, ImmutableArray<string> Frames);

/// <summary>The stack bursts of a capture up to one moment; immutable.</summary>
/// <param name="Bursts">The bursts, oldest first, up to 120.</param>
/// <param name="Remarks">Reasons why bursts gave no samples, one sentence each.</param>
sealed record StacksSeen(ImmutableArray<BurstSamples> Bursts, ImmutableArray<string> Remarks)
{
    /// <summary>Maximum number of bursts kept: one every five seconds for ten minutes.</summary>
    const int Most = 120;

    /// <summary>
    /// Maximum number of stacks kept in all bursts, because each report processes every stack. With a thousand threads, the last ten bursts
    /// are kept. The newest burst is always kept whole.
    /// </summary>
    const int MostStacks = 10_000;

    public static StacksSeen None { get; } = new([], []);

    /// <summary>The application's own assemblies; null if unknown.</summary>
    public ImmutableHashSet<string>? Own { get; init; }

    /// <summary>Memory readings, oldest first, limited in number like bursts; <see cref="Bursts"/> contains their stacks.</summary>
    public ImmutableArray<InsideReading> Readings { get; init; } = [];

    /// <summary>The state with only the newest burst and the newest memory reading.</summary>
    public StacksSeen Newest => this with { Bursts = [.. Bursts.TakeLast(1)], Readings = [.. Readings.TakeLast(1)] };

    public StacksSeen WithReading(InsideReading reading) =>
        (InsideSamples.Of(reading) is { } samples ? With(new(samples, null)) : this).WithGlance(reading);

    /// <summary>Returns the state with one more memory reading, without its stacks.</summary>
    public StacksSeen WithGlance(InsideReading reading) => this with
    {
        Readings = [.. Readings.TakeLast(Most - 1), InsideSamples.Rest(reading)],
    };

    /// <summary>Returns the state with one more burst, or with the reason why the burst failed.</summary>
    public StacksSeen With(BurstOutcome outcome) => this with
    {
        Bursts = outcome.Samples is { } samples ? Kept([.. Bursts.TakeLast(Most - 1), samples]) : Bursts,
        Remarks = outcome.Failure is { } failure && !Remarks.Contains(failure) ? [.. Remarks, failure] : Remarks,
    };

    static ImmutableArray<BurstSamples> Kept(ImmutableArray<BurstSamples> bursts)
    {
        var (first, stacks) = (bursts.Length - 1, bursts[^1].Stacks.Length);
        while (first > 0 && (stacks += bursts[first - 1].Stacks.Length) <= MostStacks)
        {
            first--;
        }

        return bursts[first..];
    }

    /// <summary>Returns the state in which the newest burst has the given lock waits.</summary>
    public StacksSeen WithLocks(ImmutableArray<LockAwaited> locks) =>
        this with { Bursts = [.. Bursts[..^1], Bursts[^1] with { Locks = locks }] };

    public StacksSeen Until(EventTime moment) => Bursts.All(b => b.At <= moment) && Readings.All(r => r.At <= moment) ? this : this with
    {
        Bursts = [.. Bursts.Where(b => b.At <= moment)],
        Readings = [.. Readings.Where(r => r.At <= moment)],
    };
}

/// <summary>
/// Stores equal stacks once. During starvation a thousand worker threads can be in one call: with separate frames for each thread, ten
/// minutes of bursts took a gigabyte.
/// </summary>
sealed class SharedFrames : IEqualityComparer<ImmutableArray<string>>
{
    readonly Dictionary<ImmutableArray<string>, ImmutableArray<string>> known;

    public SharedFrames() => known = new(this);

    /// <summary>Returns the stored instance of equal frames.</summary>
    public ImmutableArray<string> Of(ImmutableArray<string> frames)
    {
        known.TryAdd(frames, frames);
        return known[frames];
    }

    public bool Equals(ImmutableArray<string> x, ImmutableArray<string> y) => x.AsSpan().SequenceEqual(y.AsSpan());

    public int GetHashCode(ImmutableArray<string> obj)
    {
        var hash = default(HashCode);
        foreach (var frame in obj)
        {
            hash.Add(frame, StringComparer.Ordinal);
        }

        return hash.ToHashCode();
    }
}

/// <summary>Converts stack bursts to the form of the side-car, a file next to a recording, and back.</summary>
static class BurstPacking
{
    /// <summary>The bursts in the side-car's form; null when there are none.</summary>
    public static SideCarBursts? Pack(StacksSeen seen)
    {
        var bursts = seen.Bursts;
        if (bursts.IsEmpty)
        {
            return null;
        }

        var frames = new Dictionary<string, int>(StringComparer.Ordinal);
        ImmutableArray<SideCarBurst> taken = [.. bursts.Select(b => new SideCarBurst(
            b.At.Nanoseconds, b.Ms,
            [.. b.Stacks.Select(s => new SideCarSampledStack(s.ThreadId, s.Samples, s.Running,
                [.. s.Frames.Select(f => frames.TryAdd(f, frames.Count) ? frames.Count - 1 : frames[f])]))],
            [.. b.Locks.Select(l => new SideCarLockWait(l.At.Nanoseconds, l.ThreadId, l.LockId, l.OwnerThreadId))]) { Reading =
                b.IsReading })];
        return new([.. frames.OrderBy(f => f.Value).Select(f => f.Key)], taken)
        {
            Own = seen.Own is { } own ? [.. own.Order(StringComparer.Ordinal)] : null,
        };
    }

    /// <summary>The memory readings in the side-car's form; null when there are none.</summary>
    public static ImmutableArray<SideCarInside>? PackInside(StacksSeen seen) =>
        seen.Readings.IsEmpty ? null : [.. seen.Readings.Select(SideCarInside.Of)];

    /// <summary>Bursts and memory readings from the side-car; incomplete entries are skipped. Null when the side-car has none.</summary>
    public static StacksSeen? Unpack(SideCarBursts? packed, ImmutableArray<SideCarInside>? inside = null)
    {
        ImmutableArray<InsideReading> readings = inside is { IsDefaultOrEmpty: false } given
            ? [.. given.OrderBy(r => r.AtNs).Select(r => InsideSamples.Rest(r.Reading))]
            : [];
        var bursts = Unpacked(packed);
        return readings.IsEmpty ? bursts : (bursts ?? StacksSeen.None) with { Readings = readings };
    }

    static StacksSeen? Unpacked(SideCarBursts? packed)
    {
        if (packed is not { Taken.IsDefault: false, Frames.IsDefault: false })
        {
            return null;
        }

        var shared = new SharedFrames();
        string Name(int place) => place >= 0 && place < packed.Frames.Length ? packed.Frames[place] : "?!?";
        return new(
            [.. from b in packed.Taken
                where b is { Stacks.IsDefault: false, Ms: >= 0 }
                orderby b.AtNs
                select new BurstSamples(
                    new(b.AtNs), b.Ms,
                    [.. b.Stacks.Where(s => s is { Frames.IsDefault: false, Samples: > 0 })
                        .Select(s => new SampledStack(s.Thread, s.Samples, s.Running, shared.Of([.. s.Frames.Select(Name)])))])
                {
                    IsReading = b.Reading,
                    Locks = b.Locks.IsDefault ? [] : [.. b.Locks.Select(l => new LockAwaited(new(l.AtNs), l.Thread, l.Lock, l.Owner))],
                }],
            [])
        {
            Own = packed.Own is { IsDefaultOrEmpty: false } own ? [.. own.OfType<string>()] : null,
        };
    }
}

/// <summary>Converts the stacks of a memory reading to samples like those of a burst, one for each blocked thread.</summary>
static class InsideSamples
{
    /// <summary>Returns the samples from a memory reading; null if the reading has no stack.</summary>
    public static BurstSamples? Of(InsideReading reading) => reading.Stacks.IsDefaultOrEmpty
        ? null
        : new(reading.At, 0, [.. reading.Stacks.SelectMany(s => s.Threads.Select(t => new SampledStack(t, 1, Running: false, s.Frames)))])
        {
            IsReading = true,
            Locks = reading.Locks.IsDefault ? [] : [.. reading.Locks.Select(l => new LockAwaited(reading.At, l.Thread, l.Owner, l.Owner))],
        };

    /// <summary>
    /// Returns the reading without its stacks and locks, which the samples contain, and without terminal control characters in names.
    /// </summary>
    public static InsideReading Rest(InsideReading reading) => reading with
    {
        Stacks = [],
        Locks = [],
        Queue = reading.Queue is { } queue
            ? queue with { Kinds = [.. Given(queue.Kinds).Select(k => k with { Name = UntrustedText.Line(k.Name) })] }
            : null,
        Waits =
        [
            .. Given(reading.Waits).Select(w => w with
            {
                Frame = UntrustedText.Line(w.Frame),
                Call = UntrustedText.Line(w.Call),
                Chain = [.. Given(w.Chain).Select(UntrustedText.Line)],
                Owner = w.Owner is { } owner ? UntrustedText.Line(owner) : null,
            }),
        ],
        Deadlock = reading.Deadlock is { Threads.IsDefault: false } cycle
            ? cycle with { Places = [.. Given(cycle.Places).Select(UntrustedText.Line)] } : null,
        Unknown = [.. Given(reading.Unknown).Select(u => u with { Why = UntrustedText.Line(u.Why) })],
    };

    // A list that is missing in JSON has the value default, and would throw on use.
    static ImmutableArray<T> Given<T>(ImmutableArray<T> list) => list.IsDefault ? [] : list;
}
