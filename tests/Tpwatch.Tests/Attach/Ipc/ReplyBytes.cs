using System.Buffers.Binary;
using System.Text;

namespace Tpwatch.Tests.Attach.Ipc;

/// <summary>Writes what a runtime would answer.</summary>
static class ReplyBytes
{
    public static readonly Guid Cookie = new("00112233-4455-6677-8899-aabbccddeeff");

    public static byte[] Info(int version)
    {
        using MemoryStream to = new();
        using BinaryWriter w = new(to);
        if (version >= 3)
        {
            w.Write(1u);
        }

        w.Write(4711ul);
        w.Write(Cookie.ToByteArray());
        string?[] texts = ["/srv/shop key=a", "Linux", "x64",
            .. version >= 2 ? ["Shop", "10.0.12"] : (string[])[], .. version >= 3 ? ["linux-x64"] : (string[])[]];
        foreach (var text in texts)
        {
            Text(w, text);
        }

        return to.ToArray();
    }

    public static byte[] Environment(params string[] assignments)
    {
        using MemoryStream to = new();
        using BinaryWriter w = new(to);
        w.Write(assignments.Length);
        foreach (var assignment in assignments)
        {
            Text(w, assignment);
        }

        return to.ToArray();
    }

    public static byte[] Message(byte id, byte[] payload)
    {
        var message = new byte[20 + payload.Length];
        Encoding.ASCII.GetBytes("DOTNET_IPC_V1").CopyTo(message, 0);
        BinaryPrimitives.WriteUInt16LittleEndian(message.AsSpan(14), (ushort)message.Length);
        message[16] = 0xFF;
        message[17] = id;
        payload.CopyTo(message, 20);
        return message;
    }

    public static byte[] Ok(byte[] payload) => Message(0x00, payload);

    /// <summary>Unknown command, as runtimes before the command answer.</summary>
    public static byte[] UnknownCommand() => Message(0xFF, BitConverter.GetBytes(0x80131385));

    static void Text(BinaryWriter w, string? text)
    {
        w.Write(text is null ? 0 : text.Length + 1);
        w.Write(Encoding.Unicode.GetBytes(text is null ? "" : text + "\0"));
    }
}
