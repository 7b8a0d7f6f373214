using System.Collections;
using System.Runtime.InteropServices;

namespace Tpwatch.Core;

/// <summary>
/// The newest so many, oldest first. One more in a full one costs what it costs in an empty one: those that had to go leave a hole at the
/// front, which closes once it is as long as what is kept.
/// </summary>
/// <param name="capacity">How many are kept.</param>
sealed class Recent<T>(int capacity) : IReadOnlyList<T>
{
    readonly List<T> items = [];
    int first;

    public int Count => items.Count - first;

    /// <summary>Whether the next one that is added takes the place of the oldest.</summary>
    public bool IsFull => Count == capacity;

    public T this[int index]
    {
        get => Kept[index];
        set => Kept[index] = value;
    }

    Span<T> Kept => CollectionsMarshal.AsSpan(items)[first..];

    /// <summary>Adds the newest; the oldest goes where that is one too many.</summary>
    public void Add(T item)
    {
        if (IsFull)
        {
            // Nobody else may hold what it holds.
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

    /// <summary>Those from an index on, oldest first.</summary>
    public IEnumerable<T> From(int index)
    {
        for (var i = index; i < Count; i++)
        {
            yield return this[i];
        }
    }

    public IEnumerator<T> GetEnumerator() => From(0).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
