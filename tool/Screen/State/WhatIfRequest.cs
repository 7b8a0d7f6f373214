using Tpwatch.WhatIf;

namespace Tpwatch.Screen.State;

/// <summary>A what-if simulation that runs in the background; the screen polls <see cref="Outcome"/> until it is not null.</summary>
sealed class WhatIfRequest
{
    readonly Task running;
    volatile WhatIfSession? outcome;

    /// <param name="change">The change to simulate.</param>
    /// <param name="imagine">Runs the simulation; takes up to a second.</param>
    /// <param name="run">Runs an action on another thread.</param>
    public WhatIfRequest(WhatIfChange change, Func<WhatIfSession> imagine, Func<Action, Task> run)
    {
        Change = change;
        running = run(() => outcome = imagine());
    }

    public WhatIfChange Change { get; }

    /// <summary>The result; null while the simulation runs. If the simulation fails, the result holds the error message.</summary>
    public WhatIfSession? Outcome =>
        running.Exception is { } failure ? new(null, $"it failed: {failure.InnerExceptions[0].Message}") : outcome;
}
