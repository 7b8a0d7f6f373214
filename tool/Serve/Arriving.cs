using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>Attaches to those that have come, a few at a time; who has no room waits in the order of arrival.</summary>
sealed class Arriving(IMachine machine, ServeRequest options, CommandContext context)
{
    /// <summary>A process that is frozen holds an attachment up for seconds, and its seven neighbours go on.</summary>
    const int AtOnce = 8;

    /// <summary>Who could not be attached to is tried again after so long.</summary>
    static readonly TimeSpan TryAgain = TimeSpan.FromMinutes(1);

    readonly Queue<ProcessRow> waiting = new();
    readonly List<Attempt> attempts = [];
    readonly HashSet<string> told = [];
    bool limitTold;

    /// <summary>Processes for which there is no room.</summary>
    public int Waiting => waiting.Count;

    /// <summary>Whether nobody is being attached to or waits for it.</summary>
    public bool IsIdle => waiting.Count == 0 && attempts.Count == 0;

    /// <summary>Attempts that did not succeed.</summary>
    public long Refused { get; private set; }

    /// <summary>Looks who has come, begins to attach while there is room, and returns those that are attached to now.</summary>
    public async Task<IReadOnlyList<Arrival>> StepAsync(IReadOnlyCollection<FleetTarget> watched, CancellationToken cancel)
    {
        // Who comes to a port may have been found here already.
        foreach (var row in machine.Arrivals().Where(row => options.Wants(row) && !watched.Any(t => t.Row.IsSameAs(row))))
        {
            Take(row);
        }

        while (waiting.Count > 0 && attempts.Count < AtOnce && watched.Count + attempts.Count < options.Limit)
        {
            var row = waiting.Dequeue();
            attempts.Add(new(row, machine.AttachAsync(row, Incidents.Retaining(options), cancel)));
        }

        TellLimit(watched.Count + attempts.Count);
        return await EndedAsync();
    }

    /// <summary>Waits for those that are under way, so that none is left behind.</summary>
    public async Task<IReadOnlyList<Arrival>> LastAsync()
    {
        await Task.WhenAny(Task.WhenAll(attempts.Select(a => a.Watch)));
        return await EndedAsync();
    }

    void Take(ProcessRow row)
    {
        if (row.WhyNot is { } why)
        {
            Refuse(row, why, row.Hint);
        }
        else if (!waiting.Concat(attempts.Select(a => a.Row)).Any(row.IsSameAs))
        {
            waiting.Enqueue(row);
        }
    }

    async Task<IReadOnlyList<Arrival>> EndedAsync()
    {
        List<Arrival> arrived = [];
        foreach (var attempt in attempts.FindAll(a => a.Watch.IsCompleted))
        {
            attempts.Remove(attempt);
            try
            {
                arrived.Add(new(attempt.Row, await attempt.Watch));
            }
            catch (ForeseenException e)
            {
                Refuse(attempt.Row, e.Message, e.Hint);
                machine.Later(attempt.Row, TryAgain);
            }
            catch (OperationCanceledException)
            {
                // We are told to stop.
            }
        }

        return arrived;
    }

    // Once a process and reason: one that cannot be watched is met again every minute, for months. One that has ended is no failure.
    void Refuse(ProcessRow row, string why, string? hint)
    {
        const int MostTold = 1000;
        if (machine.HasGone(row))
        {
            return;
        }

        Refused++;
        if (told.Count < MostTold && told.Add($"{row.Pid} {why}"))
        {
            context.Note(FormattableString.Invariant($"not watching {row.Pid} ({row.Name}): {why}"), hint);
        }
    }

    void TellLimit(int taken)
    {
        var full = waiting.Count > 0 && taken >= options.Limit;
        if (full && !limitTold)
        {
            context.Note($"{Format.Plural(options.Limit, "process is", "processes are")} watched, which is the limit; "
                + $"{Format.Plural(waiting.Count, "more process waits", "more processes wait")} to be watched",
                "exclude some with --except NAME, or select some with -n NAME");
        }

        limitTold = full;
    }

    sealed record Attempt(ProcessRow Row, Task<IWatch> Watch);
}

/// <summary>A process that is attached to now.</summary>
sealed record Arrival(ProcessRow Row, IWatch Watch);
