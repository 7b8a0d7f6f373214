using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Tpwatch.Targets;

/// <summary>
/// Reads the payload of a diagnostic port's reply. A read beyond the end fails, as do all later reads; failed reads return empty values.
/// </summary>
ref struct PayloadCursor(ReadOnlySpan<byte> rest)
{
    ReadOnlySpan<byte> rest = rest;

    public bool Failed { get; private set; }

    public uint U32() => Take(sizeof(uint)) is { Length: > 0 } bytes ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : 0;

    public ulong U64() => Take(sizeof(ulong)) is { Length: > 0 } bytes ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;

    public Guid Guid() => Take(16) is { Length: > 0 } bytes ? new Guid(bytes) : default;

    /// <summary>Reads a string: a count of UTF-16 units including the terminating zero, then the units; a count of 0 is null.</summary>
    public string? Text()
    {
        var units = U32();
        if (units == 0)
        {
            return null;
        }

        var bytes = units <= int.MaxValue / sizeof(char) ? Take((int)units * sizeof(char)) : Fail();
        return Failed ? null : new string(MemoryMarshal.Cast<byte, char>(bytes)).TrimEnd('\0');
    }

    ReadOnlySpan<byte> Take(int count)
    {
        if (Failed || count > this.rest.Length)
        {
            return Fail();
        }

        var taken = this.rest[..count];
        this.rest = this.rest[count..];
        return taken;
    }

    ReadOnlySpan<byte> Fail()
    {
        Failed = true;
        return [];
    }
}
