namespace Tpwatch.Recordings;

/// <summary>
/// A recording as its extract, made when it is read first; as it is where the extract cannot be made. Both read the same way: what is
/// passed over counts as read.
/// </summary>
/// <param name="whole">The recording, at its start.</param>
/// <param name="again">Puts it back there.</param>
/// <param name="wanted">What somebody looks at.</param>
sealed class ExtractStream(Stream whole, Action again, WantedEvents wanted) : PassingStream
{
    /// <summary>An extract is held in memory.</summary>
    const long Most = 32 << 20;

    /// <summary>After so much it shows whether anything can be left out.</summary>
    const long Sample = 2 << 20;

    /// <summary>An extract of more than this share takes longer to make than it spares.</summary>
    const double LargestShare = 1 / 3.0;

    Stream? source;

    /// <summary>Why the recording is read as it is, as a part of a sentence; null where it is not.</summary>
    public string? Why { get; private set; }

    public override int Read(Span<byte> buffer)
    {
        source ??= Make();
        return source.Read(buffer);
    }

    Stream Make()
    {
        var extract = new MemoryStream();
        try
        {
            new Extractor(whole, wanted, extract).Run((read, left) => left <= Most && (read < Sample || left < read * LargestShare));
            extract.Position = 0;
            return extract;
        }
        catch (NotUnderstoodException e)
        {
            Why = e.Message;
            again();
            return whole;
        }
    }
}
