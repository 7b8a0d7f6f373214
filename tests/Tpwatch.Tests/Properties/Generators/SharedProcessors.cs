namespace Tpwatch.Tests.Properties.Generators;

/// <summary>Processors shared evenly by whoever computes.</summary>
sealed class SharedProcessors(int count, Agenda agenda)
{
    readonly PriorityQueue<Action, (double ServedMs, long Order)> jobs = new();
    double servedMs;
    double sinceMs;
    double usedMs;
    long order;
    long plan;

    double Share => jobs.Count == 0 ? 0 : Math.Min(1, (double)count / jobs.Count);

    /// <summary>Processor time used so far, milliseconds.</summary>
    public double UsedMs
    {
        get
        {
            Account();
            return usedMs;
        }
    }

    public void Compute(double ms, Action then)
    {
        Account();
        jobs.Enqueue(then, (servedMs + ms, order++));
        Plan();
    }

    void Account()
    {
        var passed = agenda.NowMs - sinceMs;
        usedMs += passed * Math.Min(count, jobs.Count);
        servedMs += passed * Share;
        sinceMs = agenda.NowMs;
    }

    void Plan()
    {
        var mine = ++plan;
        if (jobs.TryPeek(out _, out var first))
        {
            agenda.In(Math.Max(0, first.ServedMs - servedMs) / Share, () => EndFirst(mine));
        }
    }

    void EndFirst(long mine)
    {
        if (mine == plan)
        {
            Account();
            var then = jobs.Dequeue();
            Plan();
            then();
        }
    }
}
