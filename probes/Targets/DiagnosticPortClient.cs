using System.Buffers.Binary;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Tpwatch.Targets;

/// <summary>
/// Queries a runtime through its diagnostic socket, with commands that the client library does not expose. Each query has its own
/// connection and time limit. If the runtime refuses, hangs or sends an invalid reply, the result is null, and no exception is thrown.
/// </summary>
sealed class DiagnosticPortClient(string path, TimeProvider time)
{
    // Header: magic, u16 total length, u8 command set, u8 command, u16 reserved.
    const int HeaderBytes = 20;
    const byte ProcessSet = 0x04;
    const byte EnvironmentCommand = 0x02;
    const byte ResumeRuntime = 0x01;
    const byte ReplySet = 0xFF;
    const byte ReplyOk = 0x00;

    // Maximum size of an environment, bytes: four times the kernel's usual limit, 2 MB for arguments and environment together.
    const int MostEnvironmentBytes = 8 << 20;

    static readonly TimeSpan ClosesWithin = TimeSpan.FromMilliseconds(200);

    // The versions of the process-info command, newest first; each version has its own id.
    static readonly (int Version, byte Command)[] InfoCommands = [(3, 0x08), (2, 0x04), (1, 0x00)];

    /// <summary>Time limit of a query. A healthy runtime answers within 1 ms; a stopped runtime does not answer.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromSeconds(2);

    static ReadOnlySpan<byte> Magic => "DOTNET_IPC_V1\0"u8;

    /// <summary>Maximum size of a reply, bytes: a reply has a 16-bit length.</summary>
    public const int MostReplyBytes = ushort.MaxValue;

    /// <summary>The command that resumes a runtime that is suspended at its start.</summary>
    public static byte[] ResumeCommand => Question(ResumeRuntime);

    /// <summary>
    /// Whether a process serves the diagnostic port at a path. If none does, a connection is refused or closed at once. Takes up to 0.2 s.
    /// </summary>
    public static bool IsHeld(string path)
    {
        try
        {
            using Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return !socket.Poll(ClosesWithin, SelectMode.SelectRead);
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            return false;
        }
    }

    public async Task<ProcessInfo?> ProcessInfoAsync(CancellationToken cancel)
    {
        foreach ((var version, var command) in InfoCommands)
        {
            var reply = await AskAsync(command, continued: false, cancel).ConfigureAwait(false);
            if (reply is not { IsRefusal: true })
            {
                return reply is null ? null : ProcessInfo.Parse(reply.Payload, version);
            }
        }

        return null;
    }

    public async Task<ProcEnvironment?> EnvironmentAsync(CancellationToken cancel)
    {
        var reply = await AskAsync(EnvironmentCommand, continued: true, cancel).ConfigureAwait(false);
        return reply is { IsRefusal: false } ? ParseEnvironment(reply.Payload) : null;
    }

    static ProcEnvironment? ParseEnvironment(ReadOnlySpan<byte> payload)
    {
        IpcPayloadReader at = new(payload);
        List<string> assignments = [];
        for (var left = at.U32(); left > 0 && !at.Failed; left--)
        {
            assignments.Add(at.Text() ?? "");
        }

        return at.Failed ? null : ProcEnvironment.Of(assignments);
    }

    async Task<Reply?> AskAsync(byte command, bool continued, CancellationToken cancel)
    {
        using CancellationTokenSource limit = new(Limit, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        try
        {
            using Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), either.Token).ConfigureAwait(false);
            using NetworkStream stream = new(socket);
            await stream.WriteAsync(Question(command), either.Token).ConfigureAwait(false);
            return await ReadReplyAsync(stream, continued, either.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is SocketException or IOException or ArgumentException
            || (e is OperationCanceledException && !cancel.IsCancellationRequested))
        {
            return null;
        }
    }

    static byte[] Question(byte command)
    {
        var message = new byte[HeaderBytes];
        Magic.CopyTo(message);
        BinaryPrimitives.WriteUInt16LittleEndian(message.AsSpan(14), HeaderBytes);
        message[16] = ProcessSet;
        message[17] = command;
        return message;
    }

    static async Task<Reply?> ReadReplyAsync(NetworkStream stream, bool continued, CancellationToken cancel)
    {
        var header = new byte[HeaderBytes];
        await stream.ReadExactlyAsync(header, cancel).ConfigureAwait(false);
        var length = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(14)) - HeaderBytes;
        if (!header.AsSpan().StartsWith(Magic) || header[16] != ReplySet || length < 0)
        {
            return null;
        }

        var payload = new byte[length];
        await stream.ReadExactlyAsync(payload, cancel).ConfigureAwait(false);
        var refused = header[17] != ReplyOk;
        return refused || !continued
            ? new Reply(refused, payload)
            : await ReadContinuationAsync(stream, payload, cancel).ConfigureAwait(false);
    }

    // An environment may exceed the 64 KB of a reply, so it follows the reply. The payload begins with the environment's length.
    static async Task<Reply?> ReadContinuationAsync(NetworkStream stream, byte[] payload, CancellationToken cancel)
    {
        if (payload.Length < sizeof(uint)
            || BinaryPrimitives.ReadUInt32LittleEndian(payload) is var length && length > MostEnvironmentBytes)
        {
            return null;
        }

        var continuation = new byte[length];
        await stream.ReadExactlyAsync(continuation, cancel).ConfigureAwait(false);
        return new Reply(IsRefusal: false, continuation);
    }

    sealed record Reply(bool IsRefusal, byte[] Payload);
}

/// <summary>
/// Reads the payload of a diagnostic port's reply. A read beyond the end fails, as do all later reads; failed reads return empty values.
/// </summary>
ref struct IpcPayloadReader(ReadOnlySpan<byte> rest)
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

/// <summary>A runtime's description of its process.</summary>
/// <param name="Pid">Process id, in the process's own namespace.</param>
/// <param name="Cookie">Random id that the runtime creates at its start.</param>
/// <param name="CommandLine">The whole command line.</param>
/// <param name="Os">Operating system.</param>
/// <param name="Architecture">Processor architecture.</param>
/// <param name="EntryAssembly">Entry assembly. Available since version 2 of the command (.NET 6).</param>
/// <param name="RuntimeVersion">Version of the runtime. Available since version 2 of the command (.NET 6).</param>
/// <param name="RuntimeIdentifier">Runtime identifier. Available since version 3 of the command (.NET 8).</param>
sealed record ProcessInfo(
    ulong Pid, Guid Cookie, string? CommandLine, string? Os, string? Architecture,
    string? EntryAssembly, string? RuntimeVersion, string? RuntimeIdentifier)
{
    /// <param name="payload">The reply without its header.</param>
    /// <param name="version">Version of the command: 1, 2 or 3.</param>
    /// <returns>Null if the reply is shorter than its length fields say.</returns>
    public static ProcessInfo? Parse(ReadOnlySpan<byte> payload, int version)
    {
        IpcPayloadReader at = new(payload);
        if (version >= 3)
        {
            at.U32();
        }

        ProcessInfo info = new(
            at.U64(), at.Guid(), at.Text(), at.Text(), at.Text(), version >= 2 ? at.Text() : null,
            version >= 2 ? at.Text() : null, version >= 3 ? at.Text() : null);
        return at.Failed ? null : info;
    }
}
