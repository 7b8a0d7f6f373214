using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Tpwatch.Recordings;

/// <summary>Reads a block from front to back; throws <see cref="NotUnderstoodException"/> beyond its end.</summary>
ref struct Cursor(ReadOnlySpan<byte> bytes)
{
    const int LowBits = 0x7F;
    const int BitsAByte = 7;
    const int LongestNumber = 10;
    const int LongestNumber32 = 5;

    readonly ReadOnlySpan<byte> bytes = bytes;
    int at;

    /// <summary>Whether all bytes have been read.</summary>
    public readonly bool AtEnd => at >= bytes.Length;

    public readonly int Left => bytes.Length - at;

    /// <summary>The next byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte Byte() => (uint)at < (uint)bytes.Length ? bytes[at++] : throw Short();

    /// <summary>A variable-length number in groups of seven bits, lowest group first, up to 64 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Number()
    {
        var first = Byte();
        return first <= LowBits ? first : Rest(first, LongestNumber);
    }

    /// <summary>A variable-length number of at most 32 bits; a longer one is an error.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint Number32()
    {
        var first = Byte();
        return first <= LowBits ? first : Fitting(Rest(first, LongestNumber32));
    }

    public short Int16() => BinaryPrimitives.ReadInt16LittleEndian(Take(sizeof(short)));

    public int Int32() => BinaryPrimitives.ReadInt32LittleEndian(Take(sizeof(int)));

    public long Int64() => BinaryPrimitives.ReadInt64LittleEndian(Take(sizeof(long)));

    public Guid Identity() => new(Take(16));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Take(int count)
    {
        if ((uint)count > (uint)(bytes.Length - at))
        {
            throw Short();
        }

        var taken = bytes.Slice(at, count);
        at += count;
        return taken;
    }

    ulong Rest(ulong value, int longest)
    {
        value &= LowBits;
        for (var group = 1; group < longest; group++)
        {
            var next = Byte();
            value |= (ulong)(next & LowBits) << (group * BitsAByte);
            if (next <= LowBits)
            {
                return value;
            }
        }

        throw new NotUnderstoodException("a number without an end");
    }

    static uint Fitting(ulong value) => value <= uint.MaxValue ? (uint)value : throw new NotUnderstoodException("a number too large");

    static NotUnderstoodException Short() => new("a block shorter than what it holds");
}
