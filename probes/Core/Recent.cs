using System.Collections;
using System.Runtime.InteropServices;

namespace Tpwatch.Core;

/// <summary>
/// The newest items, up to a fixed capacity, oldest first. Adding takes amortized constant time: evicted items leave unused slots at the
/// front of the list, which are removed together when their number reaches the capacity.
/// </summary>
sealed class Recent<T>(int capacity) : IReadOnlyList<T>
{
    readonly List<T> items = [];
    int first;

    public int Count => items.Count - first;

    /// <summary>Whether the next item that is added evicts the oldest.</summary>
    public bool IsFull => Count == capacity;

    public T this[int index]
    {
        get => Kept[index];
        set => Kept[index] = value;
    }

    Span<T> Kept => CollectionsMarshal.AsSpan(items)[first..];

    /// <summary>Adds the newest item; evicts the oldest if the capacity is reached.</summary>
    public void Add(T item)
    {
        if (IsFull)
        {
            // Clear the slot so that the evicted item can be garbage-collected.
            items[first++] = default!;
        }

        if (first == capacity)
        {
            items.RemoveRange(0, first);
            first = 0;
        }

        items.Add(item);
    }

    public void RemoveNewest() => items.RemoveAt(items.Count - 1);

    public void Clear()
    {
        items.Clear();
        first = 0;
    }

    /// <summary>The items from an index to the newest, oldest first.</summary>
    public IEnumerable<T> From(int index)
    {
        for (var i = index; i < Count; i++)
        {
            yield return this[i];
        }
    }

    /// <summary>Copies all items at once, oldest first; an enumeration would call this list for each item.</summary>
    public ImmutableArray<T> Copy() => [.. Kept];

    public IEnumerator<T> GetEnumerator() => From(0).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
