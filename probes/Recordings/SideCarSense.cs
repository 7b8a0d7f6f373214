using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>What a side-car may say: anybody can write one, and what no pool can have is unknown.</summary>
static class SideCarSense
{
    /// <summary>More processors than any machine that a runtime counts.</summary>
    const int MostProcessors = 8192;

    /// <summary>The runtime's own bound of workers (short.MaxValue).</summary>
    const int MostWorkers = short.MaxValue;

    /// <summary>The same without what makes no sense; <paramref name="remark"/> says when something was left out.</summary>
    public static SideCar Of(SideCar told, out string? remark)
    {
        var target = Limits(told.Target);
        remark = target == told.Target ? null : "The .json file next to the recording has an impossible processor count or impossible "
            + "limits. tpwatch treats them as unknown.";
        return told with
        {
            Target = target with { Settings = Whole(target.Settings) },
            Clock = Whole(told.Clock),
            Process = Whole(told.Process),
            Remarks = told.Remarks.IsDefault ? [] : [.. Whole(told.Remarks).Select(ForeignText.Line)],
            Bursts = told.Bursts is { } bursts ? Whole(bursts) : null,
            Inside = told.Inside is { } inside ? [.. Whole(Given(inside)).Where(MakesSense).Select(Whole)] : null,
        };
    }

    static SideCarTarget Limits(SideCarTarget told)
    {
        var (min, max) = (Within(told.MinWorkers, MostWorkers), Within(told.MaxWorkers, MostWorkers));
        var crossed = min?.Value > max?.Value;
        return told with
        {
            Processors = Within(told.Processors, MostProcessors),
            MinWorkers = crossed ? null : min,
            MaxWorkers = crossed ? null : max,
        };
    }

    static SourcedValue? Within(SourcedValue? told, int most) => told?.Value is { } value && (value < 1 || value > most) ? null : told;

    // A list of JSON may hold null where its type has none.
    static ImmutableArray<T> Whole<T>(ImmutableArray<T> list)
        where T : class => list.IsDefault || list.All(item => item is not null) ? list : [.. list.Where(item => item is not null)];

    static SideCarBursts Whole(SideCarBursts bursts) => bursts with
    {
        Frames = bursts.Frames.IsDefault ? [] : [.. bursts.Frames.Select(frame => frame is null ? "?" : ForeignText.Line(frame))],
        Taken = bursts.Taken.IsDefault
            ? []
            : [.. Whole(bursts.Taken).Select(b => b with { Stacks = Given(b.Stacks), Locks = Given(b.Locks) })],
    };

    static bool MakesSense(SideCarInside told) => told is { Ms: >= 0 and < 1e9, Threads: >= 0, Running: >= 0 }
        && told.Limits is null or { MinThreads: > 0, MaxThreads: <= MostWorkers, Working: >= 0, Idle: >= 0 }
        && !(told.Limits?.MinThreads > told.Limits?.MaxThreads) && !(told.Queue is { Total: < 0 } or { Named: < 0 });

    static SideCarInside Whole(SideCarInside told) => told with
    {
        Queue = told.Queue is { } queue
            ? queue with { Kinds = [.. Given(queue.Kinds).Where(k => k is { Name: not null, Items: >= 0 })] }
            : null,
        Waits =
        [
            .. Given(told.Waits).Where(w => w is { Frame: not null, Call: not null, Threads: > 0, Workers: >= 0 })
                .Select(w => w with { Chain = Given(w.Chain) }),
        ],
        Deadlock = told.Deadlock is { Threads: { IsDefault: false, Length: >= 2 } threads, Workers: >= 0 } cycle
            && cycle.Blocked >= threads.Length && cycle.Workers <= cycle.Blocked ? cycle with { Places = Given(cycle.Places) } : null,
        Unknown = [.. Given(told.Unknown).Where(u => u.Why is not null)],
    };

    static ImmutableArray<T> Given<T>(ImmutableArray<T> list)
        where T : class => list.IsDefault ? [] : Whole(list);
}
