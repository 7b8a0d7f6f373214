using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Commands;

/// <summary>
/// The calls from the screen to the running watch or replay; null where a call is not possible. The screen's thread makes all calls except
/// <see cref="Imagine"/>, and each of them returns quickly.
/// </summary>
sealed record ScreenCalls
{
    /// <summary>Saves the buffered events, or a document made of the report; returns a sentence with the file name, or why not.</summary>
    public Func<PoolReport, SaveRequest, string>? Save { get; init; }

    /// <summary>Simulates a change. The simulation may take a second, so it runs on another thread than the screen's.</summary>
    public Func<PoolReport, WhatIfChange, WhatIfReply>? Imagine { get; init; }

    /// <summary>The controls of a replay; null where nothing is replayed.</summary>
    public IPlayback? Playback { get; init; }

    /// <summary>Callback that returns the switch of the measurements that are off by default; null if they cannot be switched.</summary>
    public Func<IProbeSwitch?> Probes { get; init; } = () => null;

    /// <summary>Clears the history: later reports leave out all data up to now.</summary>
    public Action? Forget { get; init; }

    /// <summary>Starts to wait for a restart of the target, to attach again; returns a confirmation, or why not.</summary>
    public Func<string>? Again { get; init; }

    /// <summary>The clock of the display, for example of the countdown; no verdict depends on this clock.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}

/// <summary>What to save, and under which name.</summary>
/// <param name="Document">The kind of document; null saves a recording of the buffered events.</param>
/// <param name="Name">Name of the file; null uses a name made of process and time.</param>
readonly record struct SaveRequest(string? Document, string? Name = null);

/// <summary>The result of a what-if: an answer, or why there is none.</summary>
sealed record WhatIfReply(WhatIfAnswer? Answer, string? Missing);

/// <summary>The controls of a replay. Only the screen's thread uses this interface.</summary>
interface IPlayback
{
    /// <summary>Playback speed as a multiple of real time; null plays as fast as the recording can be read.</summary>
    double? Speed { get; set; }

    bool Paused { get; set; }

    bool AtEnd { get; }

    /// <summary>Jumps forwards or back to a moment, in milliseconds after the start of the capture.</summary>
    void Seek(double milliseconds);
}

/// <summary>A measurement that is off by default because of its overhead in the target.</summary>
enum OptionalProbe
{
    /// <summary>Stack samples: where worker threads wait.</summary>
    Stacks,

    /// <summary>Queue time and run time of each work item.</summary>
    Items,
}

/// <summary>The state of a probe (a measurement that is off by default).</summary>
/// <param name="Price">The overhead of the probe in the target, one sentence.</param>
/// <param name="WhyNot">Why the probe cannot be switched here; null where it can.</param>
sealed record ProbeState(bool On, string Price, string? WhyNot)
{
    /// <summary>One sentence with the progress of the last request, or why it failed; null without a message.</summary>
    public string? Says { get; init; }

    /// <summary>Whether the last request is still in progress; another press of the key does not stop that request.</summary>
    public bool IsUnderWay { get; init; }
}

/// <summary>Switches probes on and off during a watch. Only the screen's thread uses this interface; each call returns quickly.</summary>
interface IProbeSwitch
{
    ProbeState Of(OptionalProbe probe);

    /// <summary>Requests that the probe is switched on or off; returns a sentence that says what happens next.</summary>
    string Turn(OptionalProbe probe, bool on);
}

/// <summary>A what-if simulation that runs in the background; the screen polls <see cref="Outcome"/> until it is not null.</summary>
sealed class PendingWhatIf
{
    readonly Task running;
    volatile WhatIfReply? outcome;

    /// <param name="imagine">Runs the simulation; takes up to a second.</param>
    public PendingWhatIf(WhatIfChange change, Func<WhatIfReply> imagine, Func<Action, Task> run)
    {
        Change = change;
        running = run(() => outcome = imagine());
    }

    public WhatIfChange Change { get; }

    /// <summary>The result; null while the simulation runs. If the simulation fails, the result holds the error message.</summary>
    public WhatIfReply? Outcome =>
        running.Exception is { } failure ? new(null, $"it failed: {failure.InnerExceptions[0].Message}") : outcome;
}

/// <summary>A process that tpwatch waits for. The searching thread writes <see cref="LastTry"/>, the screen's thread reads it.</summary>
/// <param name="limit">Maximum time to wait for the process.</param>
/// <param name="every">Time between two searches.</param>
sealed class AwaitedProcess(string name, TimeSpan limit, TimeSpan every)
{
    volatile string lastTry = "";

    public string Name => name;
    public TimeSpan Limit => limit;
    public TimeSpan Every => every;

    /// <summary>The result of the last search, one sentence.</summary>
    public string LastTry
    {
        get => lastTry;
        set => lastTry = value;
    }
}

/// <summary>The measured overhead of each capture depth in the target, from <c>tests/SCORES.md</c>.</summary>
static class DepthPrice
{
    /// <summary>Measured share of the throughput that remains with the pool's own events alone.</summary>
    public const string BasicShare = "100%";

    /// <summary>
    /// Measured share of the throughput that remains while items are measured: completed items per second of the target's processor time.
    /// </summary>
    public const string ItemsShare = "86%";

    /// <summary>Completed items per second of the saturated target, measured without a session.</summary>
    public const string ItemsPerSecond = "220 thousand";

    /// <summary><see cref="ItemsShare"/> on .NET 8, whose item events carry stacks; measured without the limit on the event rate.</summary>
    public const string ItemsWithStacksShare = "58%";

    /// <summary>
    /// Measured share of the throughput that remains while requests are measured. The throughput is requests per second of processor time,
    /// on a fully loaded server with an empty endpoint.
    /// </summary>
    public const string RequestsShare = "82%";

    /// <summary>Total time for which one stack burst pauses the target's threads, milliseconds.</summary>
    public const string BurstMs = "30";

    /// <summary>Largest number of threads for which <see cref="BurstMs"/> was measured.</summary>
    public const string BurstThreads = "65";
}
