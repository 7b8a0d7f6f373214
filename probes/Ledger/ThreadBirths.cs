using Tpwatch.Events;

namespace Tpwatch.Ledger;

/// <summary>Who created a thread and when; forgotten once asked, and within bounds when nobody asks.</summary>
sealed class ThreadBirths
{
    /// <summary>Threads other than workers are born too and never asked for.</summary>
    const int Capacity = 4096;

    readonly Dictionary<long, ThreadCreated> creating = [];
    readonly Dictionary<int, Birth> born = [];

    public void On(in ThreadCreated fact)
    {
        Bound(creating);
        creating[fact.Id] = fact;
    }

    public void On(in ThreadBegan fact)
    {
        Bound(born);
        born[fact.ThreadId] = creating.Remove(fact.Id, out var created)
            ? new(created.At, created.CreatorThreadId, fact.At)
            : new(null, null, fact.At);
    }

    /// <summary>The birth of a thread, or null when it was not seen.</summary>
    public Birth? Of(int threadId) => born.TryGetValue(threadId, out var birth) ? birth : null;

    static void Bound<TKey, TValue>(Dictionary<TKey, TValue> all)
        where TKey : notnull
    {
        if (all.Count >= Capacity)
        {
            all.Clear();
        }
    }
}

/// <summary>How a thread came to be: when its creation began and by whom, as far as seen, and when it ran.</summary>
readonly record struct Birth(EventTime? Created, int? Creator, EventTime Began);
