namespace Tpwatch.Recordings;

/// <summary>A stream that ends early for its reader when somebody else asks for it, from any thread.</summary>
sealed class StoppableStream(Stream inner) : PassingStream
{
    volatile bool stopped;
    long passed;

    /// <summary>Whether <see cref="Stop"/> was called.</summary>
    public bool Stopped => stopped;

    /// <summary>Whether everything was read.</summary>
    public bool ReachedEnd { get; private set; }

    /// <summary>Bytes that were read. For any thread.</summary>
    public long Passed => Interlocked.Read(ref passed);

    /// <summary>Lets the next read find the end.</summary>
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
