using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Tpwatch.Serve;

/// <summary>Writes one message of protobuf: fields by number, what is empty or absent left out by who calls.</summary>
sealed class Message
{
    const int Varint = 0;
    const int Fixed64 = 1;
    const int Delimited = 2;

    readonly ArrayBufferWriter<byte> bytes = new();

    public ReadOnlyMemory<byte> Written => bytes.WrittenMemory;

    public Message Number(int field, long value)
    {
        Tag(field, Varint);
        Variable((ulong)value);
        return this;
    }

    public Message Fixed(int field, ulong value)
    {
        Tag(field, Fixed64);
        Eight(value);
        return this;
    }

    public Message Real(int field, double value) => Fixed(field, BitConverter.DoubleToUInt64Bits(value));

    public Message Text(int field, string value) => Bytes(field, Encoding.UTF8.GetBytes(value));

    /// <summary>A message within the message.</summary>
    public Message Inner(int field, Message inner) => Bytes(field, inner.Written.Span);

    /// <summary>Several numbers of eight bytes in one field.</summary>
    public Message Several(int field, IReadOnlyCollection<ulong> values)
    {
        Tag(field, Delimited);
        Variable((ulong)(values.Count * sizeof(ulong)));
        foreach (var value in values)
        {
            Eight(value);
        }

        return this;
    }

    Message Bytes(int field, ReadOnlySpan<byte> value)
    {
        Tag(field, Delimited);
        Variable((ulong)value.Length);
        bytes.Write(value);
        return this;
    }

    void Tag(int field, int kind) => Variable((ulong)((field << 3) | kind));

    void Eight(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.GetSpan(sizeof(ulong)), value);
        bytes.Advance(sizeof(ulong));
    }

    void Variable(ulong value)
    {
        var room = bytes.GetSpan(10);
        var at = 0;
        for (; value > 0x7F; value >>= 7)
        {
            room[at++] = (byte)(value | 0x80);
        }

        room[at++] = (byte)value;
        bytes.Advance(at);
    }
}
