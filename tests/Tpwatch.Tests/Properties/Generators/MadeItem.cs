namespace Tpwatch.Tests.Properties.Generators;

/// <summary>An item of a simulated pool, and what truly became of it; milliseconds since the process began.</summary>
sealed class MadeItem(Load what, int depth = 0)
{
    public Load What => what;

    public MadeItem[] Children { get; } =
        [.. Enumerable.Range(0, depth == 0 ? what.Children : depth == 1 ? what.Grandchildren : 0)
            .Select(_ => new MadeItem(what, depth + 1))];

    public double? QueuedMs { get; set; }

    /// <summary>When it left the queue, whoever ran it.</summary>
    public double? TakenMs { get; set; }

    public double? EndedMs { get; set; }

    /// <summary>Whether a thread that waited for it ran it itself: then it counts as no completion.</summary>
    public bool Inlined { get; set; }

    public Action? WhenEnded { get; set; }

    /// <summary>How long it had waited by a moment.</summary>
    public double WaitedMs(double atMs) => QueuedMs is { } queued && queued <= atMs ? Math.Min(TakenMs ?? atMs, atMs) - queued : 0;
}
