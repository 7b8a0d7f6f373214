namespace Tpwatch.Tests.Properties.Generators;

/// <summary>
/// What is still to happen in a simulated process, in order of time; what falls on one moment
/// happens in the order in which it was put down.
/// </summary>
sealed class Agenda
{
    readonly PriorityQueue<Action, (double At, long Order)> moments = new();
    long order;

    /// <summary>Milliseconds since the process began.</summary>
    public double NowMs { get; private set; }

    public void In(double ms, Action happens) => At(NowMs + ms, happens);

    public void At(double ms, Action happens) => moments.Enqueue(happens, (Math.Max(ms, NowMs), order++));

    public void RunUntil(double ms)
    {
        while (moments.TryPeek(out var happens, out var due) && due.At <= ms)
        {
            moments.Dequeue();
            NowMs = due.At;
            happens();
        }

        NowMs = ms;
    }
}
