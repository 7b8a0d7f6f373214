using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>A what-if that is being computed beside the screen; asked after until it is there.</summary>
sealed class Imagining
{
    readonly Task running;
    volatile Imagination? outcome;

    /// <param name="change">What is imagined.</param>
    /// <param name="imagine">Takes up to a second.</param>
    /// <param name="run">Runs it elsewhere.</param>
    public Imagining(WhatIfChange change, Func<Imagination> imagine, Func<Action, Task> run)
    {
        Change = change;
        running = run(() => outcome = imagine());
    }

    public WhatIfChange Change { get; }

    /// <summary>What came of it; null while it goes on. Whatever goes wrong is told and ends nothing.</summary>
    public Imagination? Outcome =>
        running.Exception is { } failure ? new(null, $"it failed: {failure.InnerExceptions[0].Message}") : outcome;
}
