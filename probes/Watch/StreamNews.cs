namespace Tpwatch.Watch;

/// <summary>When bytes came last, and whether what they brought is to be published. Written by the reading thread.</summary>
sealed class StreamNews(TimeProvider time, bool isLive)
{
    /// <summary>A recording is read faster than anybody looks; so often is enough.</summary>
    static readonly TimeSpan PublishInterval = TimeSpan.FromMilliseconds(50);

    long published;
    long lastRead = time.GetTimestamp();
    bool hasCome;

    /// <summary>How long the reader has been waiting for the next bytes; for any thread.</summary>
    public TimeSpan Silence => time.GetElapsedTime(Interlocked.Read(ref lastRead));

    /// <summary>A fact has come.</summary>
    public void Come() => hasCome = true;

    /// <summary>
    /// The reader asks for more bytes: whether what came before is to be published. A block comes in several pieces, and only what the
    /// whole of it held is new.
    /// </summary>
    public bool IsDue()
    {
        var now = time.GetTimestamp();
        Interlocked.Exchange(ref lastRead, now);
        if (isLive ? !hasCome : time.GetElapsedTime(published, now) < PublishInterval)
        {
            return false;
        }

        (published, hasCome) = (now, false);
        return true;
    }
}
