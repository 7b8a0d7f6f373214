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

    static ImmutableArray<T> Given<T>(ImmutableArray<T> list)
        where T : class => list.IsDefault ? [] : Whole(list);
}
