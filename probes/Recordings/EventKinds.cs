using System.Runtime.InteropServices;

namespace Tpwatch.Recordings;

/// <summary>The kinds of events that a stream describes, and which of them a reader wants.</summary>
sealed class EventKinds(WantedEvents wanted)
{
    /// <summary>Largest valid id of a description; ids count from 1, and a stream with more kinds of events is damaged.</summary>
    const int Most = 1 << 20;

    /// <summary>Id of the event with which a provider describes its own events; it changes how the library reads them.</summary>
    const int Manifest = 0xFFFE;

    const int HeaderBytes = 20;
    const short Compressed = 1;

    /// <summary>Marks a kind that is described but not wanted.</summary>
    const int LeftOut = -1;

    /// <summary>Minimum payload length in bytes, by kind; null for a kind without a description.</summary>
    int?[] kept = new int?[1 << 10];

    /// <summary>
    /// Whether an event of a kind is kept. Throws for an event that is shorter than its minimum: the library reads such an event beyond its
    /// end, where the extract would have other bytes.
    /// </summary>
    public bool Keeps(int kind, int length) =>
        (uint)kind >= (uint)kept.Length || kept[kind] is not { } least ? throw new NotUnderstoodException("an event without a description")
        : least == LeftOut ? false
        : length >= least ? true
        : throw new NotUnderstoodException("an event that is too short");

    /// <summary>Reads a block of descriptions.</summary>
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

    /// <summary>Skips the header of a block of events or descriptions.</summary>
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
