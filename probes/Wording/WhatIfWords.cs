using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Builds texts about the simulated effect of a changed setting, with the best and the worst case if they differ.</summary>
static class WhatIfWords
{
    /// <summary>Maximum difference of two completion times that count as equal, as a share of the measured one.</summary>
    const double NoDifference = 0.05;

    const string Better = "if the items do not slow each other down";
    const string Worse = "If the items share a bottleneck (such as a lock)";

    /// <summary>Returns when the items complete, or why that is unknown: one or two sentences without the last full stop.</summary>
    public static string Times(WhatIfOutcome answer)
    {
        if (answer.Unknown is { } why)
        {
            return why.TrimEnd('.');
        }

        if (IsNotFaster(answer))
        {
            return $"not faster: all items still complete after about {Text(answer.Simulated.TotalMs)}";
        }

        var (what, of) = answer.Simulated.TotalMs is not null && answer.Worst is null or { TotalMs: not null }
            ? ("all items complete after", (Func<WhatIfFigures, double?>)(f => f.TotalMs))
            : ("an item completes on average after", f => f.LatencyMs);
        var seen = of(answer.Seen) is { } ms ? $" (measured: {Format.Rough(ms)})" : "";
        return answer.Worst is { } worst
            ? $"{Better}, {what} {Text(of(answer.Simulated))}{seen}. {Worse}, "
                + (of(worst) >= of(answer.Seen) ? "the items complete no sooner than measured" : $"{what} {Text(of(worst))}")
            : $"{what} {Text(of(answer.Simulated))}{seen}";
    }

    /// <summary>
    /// Returns all sentences about an effect: completion times, the reason if these are not shorter, queue time and worker threads.
    /// </summary>
    public static string Effect(WhatIfOutcome answer) => string.Join(' ', new[]
    {
        Times(answer) + ".", IsNotFaster(answer) ? answer.Bound : null, Others(answer) + ".",
    }.OfType<string>());

    /// <summary>Returns the queue time and the number of worker threads, as sentences without the last full stop.</summary>
    public static string Others(WhatIfOutcome answer)
    {
        // If items still wait at the end of the capture, their measured waits are incomplete and not comparable.
        var whole = answer.Seen.TotalMs is not null;
        var (queue, workers) = (Seen(answer, f => f.StartDelayMs, Format.Rough), Seen(answer, f => f.PeakWorkers, Count));
        string[] told =
        [
            (IsNotFaster(answer) && answer.Simulated.StartDelayMs < answer.Seen.StartDelayMs / 2
                ? "But items start sooner. " : "")
                + Compared("Mean queue time", Both(answer, f => f.StartDelayMs, Format.Rough), whole ? queue : null),
            Compared("Largest number of worker threads", Both(answer, f => f.PeakWorkers, Count), whole ? workers : null),
            answer.Simulated.NeverStarted is > 0 and var stuck ? $"{Format.Plural(stuck, "item")} would not have started" : "",
        ];
        return string.Join(". ", told.Where(text => text.Length > 0));
    }

    static bool IsNotFaster(WhatIfOutcome answer) =>
        answer is { Worst: null, Simulated.TotalMs: { } then, Seen.TotalMs: { } now } && Math.Abs(then - now) <= NoDifference * now;

    static string? Seen(WhatIfOutcome answer, Func<WhatIfFigures, double?> of, Func<double, string> text) =>
        of(answer.Seen) is { } known ? text(known) : null;

    // Returns the text about one value. A sentence may have only two numbers, so the second bound has its own sentence.
    static string Compared(string what, string[] told, string? measured) => $"{what}: " + (told, measured) switch
    {
        ([], _) => "not known",
        ([var one], null) => one,
        ([var one], _) => one == measured ? $"{one}, as measured" : $"{one} (measured: {measured})",
        _ => $"{told[0]}{(measured is null ? "" : $" (measured: {measured})")}. {what} with a shared bottleneck: {told[1]}",
    };

    static string[] Both(WhatIfOutcome answer, Func<WhatIfFigures, double?> of, Func<double, string> text)
    {
        double?[] bounds = [of(answer.Simulated), answer.Worst is { } worst ? of(worst) : null];
        if (bounds is [{ } slow, { } quick] && quick < slow)
        {
            // A shared bottleneck can also make a value smaller. The text then gives a range from the smaller to the larger value.
            return [$"{text(quick)} to {text(slow)}"];
        }

        return [.. bounds.OfType<double>().Select(text).Distinct()];
    }

    static string Count(double number) => Format.Count((long)number);

    static string Text(double? ms) => ms is { } known ? Format.Rough(known) : "an unknown time";

    /// <summary>Returns why a capture allows no what-if, from the error of the unchanged simulation (0 to 1; null if unknown).</summary>
    public static string NoAnswer(double? errorShare) => errorShare is { } share
        ? $"No what-if: a simulation of the unchanged configuration differs by {Format.Percent(share)} from what was measured."
        : "No what-if: this capture has no value to compare with a simulation of the unchanged configuration.";

    /// <summary>Returns how a simulation with unchanged settings differs from the measured run.</summary>
    public static string Check(WhatIfFigures seen, WhatIfFigures same, bool isCompared) => !isCompared
        ? "A simulation of the unchanged configuration could not be compared."
        : $"In a simulation {(seen.TotalMs is null ? "without changes" : "of the unchanged configuration")}, {Differences(seen, same)}.";

    static string Differences(WhatIfFigures seen, WhatIfFigures same)
    {
        string?[] parts =
        [
            seen.TotalMs is null ? null : Part("all items complete after ", Rough(same.TotalMs), Rough(seen.TotalMs)),
            // Measured values end with the capture, but what-ifs continue until all items have completed.
            Part($"the mean queue time{(seen.TotalMs is null ? " up to the capture's end" : "")} is ",
                Rough(same.StartDelayMs), Rough(seen.StartDelayMs)),
            Part("the simulated pool grows to ", Threads(same.PeakWorkers), seen.PeakWorkers == same.PeakWorkers
                ? Threads(seen.PeakWorkers) : seen.PeakWorkers is { } peak ? Format.Count(peak) : null),
        ];
        return string.Join(". ", parts.OfType<string>().Select((part, i) => i == 0 ? part : char.ToUpperInvariant(part[0]) + part[1..]));
    }

    static string? Part(string what, string? same, string? seen) => same is null || seen is null ? null
        : same == seen ? $"{what}{same}, as measured" : $"{what}{same} (measured: {seen})";

    static string? Rough(double? ms) => ms is { } known ? Format.Rough(known) : null;

    static string? Threads(int? count) => count is { } known ? Format.Plural(known, "worker thread") : null;
}

/// <summary>Builds the sentences of a forecast: its basis, and the condition under which it holds.</summary>
static class ForecastWords
{
    public const string NoRate = "No item has completed since items began to wait, so the completion rate is not known.";
    const string MaxIsReached = "MaxThreads is reached, so the pool adds no thread.";

    /// <summary>Returns the basis of an estimate: items ahead of a new item, busy threads, hold times, and assumptions.</summary>
    public static string Basis(long items, int busy, string held, bool isAtMax) =>
        $"Ahead of a new item: {Format.Plural(items, "item")}. Busy worker threads: {Format.Count(busy)}. {held} Assumed: items start in "
        + $"queue order{(isAtMax ? $". {MaxIsReached}" : ", and the pool adds threads by its rules, without hill climbing.")}";

    public static string Held(double lowMs, double highMs) => (Format.Duration(lowMs), Format.Duration(highMs)) is var (from, to)
        && from == to ? $"An item holds its thread for {from}." : $"An item holds its thread for {from} to {to}.";

    public static string Held(long completed, double medianMs, double ninthMs) =>
        $"{Format.Plural(completed, "item")} completed so far. Half of the items held their thread for at most "
        + $"{Format.Duration(medianMs)}, one in ten for {Format.Duration(ninthMs)} or more.";

    public static string LowerBound(long items, int busy, double heldMs, bool isAtMax) =>
        $"A lower bound: no item has completed yet. {Format.Plural(items, "item")} ahead of a new item. "
        + $"{Format.Plural(busy, "worker thread")} busy for up to {Format.Duration(heldMs)}, and similar items take at least "
        + $"as long. {(isAtMax ? MaxIsReached : "The pool adds at most one thread per gate check.")}";

    public static string Emptied(double arriving, double completing, bool isAtMax) =>
        $"{Rates(arriving, completing)}. {(isAtMax ? MaxIsReached : "The pool should add threads meanwhile.")}";

    public static string Never(double arriving, double completing) => Format.Rate(arriving) == Format.Rate(completing)
        ? "about as many items arrive as complete." : $"{Rates(arriving, completing)}.";

    static string Rates(double arriving, double completing) => $"{Format.Rate(arriving)} arrive and {Format.Rate(completing)} complete";

    /// <summary>Returns the condition under which the forecast of the next injection holds, as a clause.</summary>
    public static string Condition(bool isPeriodic, bool isMaxKnown) => (isPeriodic, isMaxKnown) switch
    {
        (true, false) => "unless an item is dequeued first or MaxThreads (not known) is reached",
        (true, true) => "unless an item is dequeued first",
        (false, false) => "if threads still wait for tasks and MaxThreads (not known) is not reached",
        _ => "if threads still wait for tasks",
    };
}

/// <summary>The sentences that say what a simulation assumes, leaves out, or could not measure.</summary>
static class WhatIfRemarks
{
    public const string NoneCompleted =
        "No item completed in the capture, so there is no what-if: how long items hold threads is not known.";

    public const string TooFewCompleted = "Too few items completed here to tell how fast the resource is that they wait for.";

    public const string Climbs = "Not simulated: hill climbing (its changes are those of the capture) and the end of idle threads.";

    public const string NoClimbing =
        "That pool had no hill climbing, so the changes by hill climbing in the capture are left out. Idle threads do not end.";

    public const string AfterAwait = "What an item does after it awaited is left out.";

    public const string WindowsClock = "The clock is an assumption: Windows with its default timer. No Windows machine was measured.";

    public const string LinuxClock =
        "The clock is that of Linux, as measured. That pool ran on Windows, whose clock is an assumption (--clock windows).";

    public const string NoQueueTime = "The mean queue time could not be measured.";

    public const string Lost = "Events were lost. Items that arrived in that time are missing.";

    public const string Cut = "The capture ends while items wait or run. The measured figures count only up to its end.";

    public const string Computes = "The items compute and hardly block.";

    public const string WaitForProcessors = "Items wait for processors. The simulation assumes that nothing else makes them slower.";

    public const string MoreCompletedMore = "In this capture, more threads completed more items. "
        + "So the simulation assumes that calls which block do not slow each other down.";

    public const string UnknownResource =
        "tpwatch does not know what items wait for. At a sleep, more threads complete more items; at a lock, more threads do not.";

    public static string StillWaiting(long items) =>
        $"No what-if: {Format.Plural(items, "item")} still waited at the last counter sample, and when these completed is not known.";

    public static string AssumedMin(int min) =>
        $"MinThreads is not known, and is assumed to be {Format.Count(min)}, the number of processors.";

    public static string FromThenOn(int workers) =>
        $"Items already waited at the first counter sample, and {Format.Plural(workers, "worker thread")} existed. "
            + "Waits count only from then on.";

    public static string AsNow(string resource) => $"Items wait for {resource}, so no more items per second complete than now.";

    /// <summary>Returns what is assumed of items that no event shows: two or three sentences without the last full stop.</summary>
    public static string Basis(AssumedItems items)
    {
        var computes = items.ComputeMs is { } run ? $"and to compute for {Format.Duration(run)}" : "and not to compute";
        var how = double.IsPositiveInfinity(items.HoldMs)
            ? "No item completed"
            : (items.HoldIsUnknown ? $"All items are assumed to hold a thread equally long {computes}"
                : $"Each item is assumed to hold a thread for {Format.Duration(items.HoldMs)} {computes}")
                + (items.OneAfterAnother
                    ? ". Items that run at the start of the capture are assumed to complete one after another, not all at once" : "");
        var kind = items.NeedWorkers ? "blocked on tasks that need a worker thread themselves"
            : items.Compute ? "computing most of the time" : "blocked in calls that the pool cannot detect";
        var every = items.EveryMs is { } ms ? $" every {Format.Seconds(Math.Round(ms / 50) * 50)[..^1]} s" : "";
        return $"estimated from counter samples{every} and thread events. "
            + $"The model assumes {Format.Plural(items.Count, "item")}, {kind}. {how}";
    }
}

/// <summary>What is assumed of items that no event shows.</summary>
/// <param name="Count">Number of items.</param>
/// <param name="HoldMs">Time for which an item holds its thread, milliseconds; infinite if no item completed.</param>
readonly record struct AssumedItems(int Count, double HoldMs)
{
    /// <summary>Time for which an item computes, milliseconds; null if it hardly computes.</summary>
    public double? ComputeMs { get; init; }

    /// <summary>Whether the items are blocked on tasks that need a worker thread themselves.</summary>
    public bool NeedWorkers { get; init; }

    /// <summary>Whether the items compute for most of their time.</summary>
    public bool Compute { get; init; }

    /// <summary>Whether the items hold their threads longer than the capture shows.</summary>
    public bool HoldIsUnknown { get; init; }

    /// <summary>Whether the first items complete one after another.</summary>
    public bool OneAfterAnother { get; init; }

    /// <summary>Time between two counter samples, milliseconds; null when unknown.</summary>
    public double? EveryMs { get; init; }
}
