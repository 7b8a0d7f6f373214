using System.Runtime.InteropServices;

namespace Tpwatch.Recordings;

/// <summary>The kinds of events that a stream describes, and which of them are wanted.</summary>
sealed class EventKinds(WantedEvents wanted)
{
    /// <summary>The ids of descriptions are counted from 1; a stream with more kinds of events than this is damaged.</summary>
    const int Most = 1 << 20;

    /// <summary>A provider's own description of its events, which changes how the library reads them.</summary>
    const int Manifest = 0xFFFE;

    const int HeaderBytes = 20;
    const short Compressed = 1;

    /// <summary>A kind that is described, and none of whose events is kept.</summary>
    const int LeftOut = -1;

    /// <summary>By id, the bytes that an event has at least; null is not described.</summary>
    int?[] kept = new int?[1 << 10];

    /// <summary>
    /// Whether an event of a kind is kept. One that is shorter than it can be is read beyond its end, by the library, and what stands there
    /// would not be the same.
    /// </summary>
    public bool Keeps(int kind, int length) =>
        (uint)kind >= (uint)kept.Length || kept[kind] is not { } least ? throw new NotUnderstoodException("an event without a description")
        : least == LeftOut ? false
        : length >= least ? true
        : throw new NotUnderstoodException("an event that is too short");

    /// <summary>Takes a block of descriptions.</summary>
    public void Take(ReadOnlySpan<byte> content)
    {
        var cursor = new Cursor(content);
        SkipHeader(ref cursor);
        EventHeader header = default;
        while (!cursor.AtEnd)
        {
            header.Read(ref cursor);
            Describe(new Cursor(cursor.Take(header.Length)));
        }
    }

    /// <summary>Passes the header of a block of events or descriptions.</summary>
    public static void SkipHeader(ref Cursor cursor)
    {
        var length = cursor.Int16();
        if (length < HeaderBytes || (cursor.Int16() & Compressed) == 0)
        {
            throw new NotUnderstoodException("a block whose headers are not compressed");
        }

        cursor.Take(length - 2 * sizeof(short));
    }

    void Describe(Cursor description)
    {
        var kind = description.Int32();
        var provider = Text(ref description);
        var id = (ushort)description.Int32();
        if (kind is <= 0 or > Most || (kind < kept.Length && kept[kind] is not null))
        {
            throw new NotUnderstoodException("a kind of event that is described twice");
        }

        if (kind >= kept.Length)
        {
            Array.Resize(ref kept, Math.Max(kind + 1, kept.Length * 2));
        }

        kept[kind] = wanted.LeastOf(provider, id) ?? (id == Manifest ? 0 : LeftOut);
    }

    static string Text(ref Cursor cursor)
    {
        var rest = cursor;
        var all = MemoryMarshal.Cast<byte, char>(rest.Take(rest.Left / sizeof(char) * sizeof(char)));
        var length = all.IndexOf('\0');
        if (length < 0)
        {
            throw new NotUnderstoodException("a name without an end");
        }

        cursor.Take((length + 1) * sizeof(char));
        return new string(all[..length]);
    }
}
