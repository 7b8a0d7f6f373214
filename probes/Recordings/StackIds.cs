namespace Tpwatch.Recordings;

/// <summary>
/// Stacks are left out. The library refuses a stream in which an id is given twice between two sequence points, so it is looked at all the
/// same.
/// </summary>
sealed class StackIds
{
    int next = int.MinValue;

    /// <summary>A sequence point: ids may be used again.</summary>
    public void Forget() => next = int.MinValue;

    /// <summary>Takes a block of stacks.</summary>
    public void Take(ReadOnlySpan<byte> content)
    {
        var cursor = new Cursor(content);
        var (first, count) = (cursor.Int32(), cursor.Int32());
        var seen = 0;
        for (; !cursor.AtEnd; seen++)
        {
            cursor.Take(cursor.Int32());
        }

        if (first < next || seen != count || first > int.MaxValue - seen)
        {
            throw new NotUnderstoodException("stacks out of order");
        }

        next = first + seen;
    }
}
