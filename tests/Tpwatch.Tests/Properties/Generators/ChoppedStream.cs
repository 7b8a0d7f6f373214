using Tpwatch.Recordings;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>A stream whose reads bring as few bytes at a time as they are told to, in turn.</summary>
sealed class ChoppedStream(Stream inner, IReadOnlyList<int> sizes) : ForwardOnlyStream
{
    int reads;

    public override int Read(Span<byte> buffer) =>
        buffer.IsEmpty ? inner.Read(buffer) : inner.Read(buffer[..Math.Min(buffer.Length, Math.Max(1, sizes[reads++ % sizes.Count]))]);
}
