using Tpwatch.Options;

namespace Tpwatch.Serve;

/// <summary>
/// Pushes the instruments to a collector every ten seconds, and events where there are any. That a collector is away, slow or refuses is
/// said once: metrics are told anew each time, and events wait, as many as there is room for.
/// </summary>
sealed class OtlpPush(Uri collector, FleetWatch fleet, FleetEvents? events, CommandContext context) : IDisposable
{
    /// <summary>Events of one message.</summary>
    const int Most = 200;

    /// <summary>From one push to the next.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromSeconds(10);

    /// <summary>Whoever stops us waits for it.</summary>
    static readonly TimeSpan LastPatience = TimeSpan.FromSeconds(2);

    readonly Collector to = new();
    readonly string host = Environment.MachineName;
    readonly List<FleetEvent> waiting = [];
    string? told;
    long droppedTold;

    /// <summary>Pushes until it is told to stop, and then once more.</summary>
    public async Task RunAsync(CancellationToken cancel)
    {
        while (!cancel.IsCancellationRequested)
        {
            await Task.WhenAny(Task.Delay(Pace, context.Time, cancel));
            await RoundAsync(cancel);
        }

        using CancellationTokenSource last = new(LastPatience, context.Time);
        await RoundAsync(last.Token);
    }

    public async Task RoundAsync(CancellationToken cancel)
    {
        try
        {
            var answer = await to.PostAsync(Under("v1/metrics"), MetricsMessage.Of(fleet.Latest, host), cancel);
            if (answer.Problem is null || !answer.IsPassing)
            {
                answer = await PushEventsAsync(cancel) is { Problem: not null } worse ? worse : answer;
            }

            Tell(answer.Problem);
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            // Told to stop.
        }
    }

    public void Dispose() => to.Dispose();

    async Task<CollectorAnswer> PushEventsAsync(CancellationToken cancel)
    {
        while (Fill())
        {
            var answer = await to.PostAsync(Under("v1/logs"), LogsMessage.Of(waiting, host, fleet.Latest.Own.Version), cancel);
            if (answer is { Problem: not null, IsPassing: true })
            {
                return answer;
            }

            // What is refused today is refused tomorrow.
            waiting.Clear();
            if (answer.Problem is not null)
            {
                return answer;
            }
        }

        return default;
    }

    bool Fill()
    {
        while (waiting.Count < Most && events?.Take() is { } next)
        {
            waiting.Add(next);
        }

        return waiting.Count > 0;
    }

    // A collector may be away for hours.
    void Tell(string? problem)
    {
        if (problem is null && told is not null)
        {
            context.Note($"{collector} accepts data again");
        }
        else if (problem is not null && told is null)
        {
            context.Note($"pushing failed: {problem}", $"tpwatch keeps watching, and tries to push every {Pace.TotalSeconds} s");
        }

        told = problem;
        if (events is { Dropped: var dropped } && dropped > droppedTold && problem is null)
        {
            context.Note(
                $"the oldest {dropped - droppedTold} log records were discarded: tpwatch keeps at most {FleetEvents.Most} for a collector");
            droppedTold = dropped;
        }
    }

    Uri Under(string path) => new($"{collector.AbsoluteUri.TrimEnd('/')}/{path}");
}
