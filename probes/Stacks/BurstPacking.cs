using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>Converts stack bursts to the side-car's form and back.</summary>
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
            [.. b.Stacks.Select(s => new SideCarStack(s.ThreadId, s.Samples, s.Running,
                [.. s.Frames.Select(f => frames.TryAdd(f, frames.Count) ? frames.Count - 1 : frames[f])]))],
            [.. b.Locks.Select(l => new SideCarLock(l.At.Nanoseconds, l.ThreadId, l.LockId, l.OwnerThreadId))]) { Reading = b.IsReading })];
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
