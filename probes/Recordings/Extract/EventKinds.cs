using System.Runtime.InteropServices;
using Tpwatch.Streams;

namespace Tpwatch.Recordings.Extract;

/// <summary>The kinds of events that a stream describes, and which of them are wanted.</summary>
sealed class EventKinds(WantedEvents wanted)
{
    /// <summary>The ids of descriptions are counted from 1; a stream with more kinds of events than this is damaged.</summary>
    const int Most = 1 << 20;

    /// <summary>A provider's own description of its events, which changes how the library reads them.</summary>
    const int Manifest = 0xFFFE;

    const int HeaderBytes = 20;
    const short Compressed = 1;

    /// <summary>By id; null is not described.</summary>
    bool?[] kept = new bool?[1 << 10];

    /// <summary>Whether events of a kind are kept.</summary>
    public bool Keeps(int kind) => (uint)kind < (uint)kept.Length && kept[kind] is { } keep
        ? keep
        : throw new NotUnderstoodException("an event without a description");

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

        kept[kind] = id == Manifest || wanted.Includes(provider, id);
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
