namespace Tpwatch.Recordings;

/// <summary>A stream that any thread can end early for its reader.</summary>
sealed class StoppableStream(Stream inner) : PassingStream
{
    volatile bool stopped;
    long passed;

    /// <summary>Whether <see cref="Stop"/> was called.</summary>
    public bool Stopped => stopped;

    /// <summary>Whether the reader reached the end of the inner stream.</summary>
    public bool ReachedEnd { get; private set; }

    /// <summary>Number of bytes read. Any thread can read it.</summary>
    public long Passed => Interlocked.Read(ref passed);

    /// <summary>Makes later reads return the end of the stream.</summary>
    public void Stop() => stopped = true;

    public override int Read(Span<byte> buffer)
    {
        if (stopped)
        {
            return 0;
        }

        var count = inner.Read(buffer);
        Interlocked.Add(ref passed, count);
        ReachedEnd = count == 0 && !buffer.IsEmpty;
        return count;
    }
}
