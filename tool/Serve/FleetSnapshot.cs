using System.IO.Compression;
using System.Text;

namespace Tpwatch.Serve;

/// <summary>
/// All that is watched at one moment; immutable. Its text is made once, when the first asks, however many scrape: a hundred at a time cost
/// what one costs.
/// </summary>
sealed class FleetSnapshot
{
    readonly Lazy<byte[]>[] texts;

    public FleetSnapshot(DateTime at, ImmutableArray<TargetState> targets, OwnState own)
    {
        (At, Targets, Own) = (at, targets, own);
        texts = [new(() => Encode(open: false)), new(() => Encode(open: true)),
            new(() => Zipped(Text(open: false))), new(() => Zipped(Text(open: true)))];
    }

    /// <summary>When it was looked, UTC.</summary>
    public DateTime At { get; }

    /// <summary>Ordered by name, then pid.</summary>
    public ImmutableArray<TargetState> Targets { get; }

    /// <summary>The watcher itself.</summary>
    public OwnState Own { get; }

    /// <summary>The series.</summary>
    public byte[] Text(bool open) => texts[open ? 1 : 0].Value;

    /// <summary>The same, made small: a twentieth.</summary>
    public byte[] Small(bool open) => texts[open ? 3 : 2].Value;

    byte[] Encode(bool open) => Encoding.UTF8.GetBytes(Exposition.Write(Targets, Own, open));

    static byte[] Zipped(byte[] text)
    {
        using var small = new MemoryStream();
        using (var zip = new GZipStream(small, CompressionLevel.Fastest))
        {
            zip.Write(text);
        }

        return small.ToArray();
    }
}
