using System.Buffers.Binary;
using System.Net.Sockets;
using System.Threading.Channels;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A process reached through a diagnostic port: it may run in another container, or may still have to start.</summary>
sealed class PortTarget(PortAddress address, Target target, Guid run, SingleRuntimePort? listening) : IAsyncDisposable
{
    public Target Target { get; } = target;

    /// <summary>Random id (cookie) of this run of the runtime.</summary>
    public Guid Run { get; } = run;

    /// <summary>
    /// Connects, or listens until the first runtime connects, up to <paramref name="timeout"/>. Throws <see cref="UserErrorException"/> if
    /// no runtime is there (exit code 1), if the port cannot be opened (3), and on Windows (4).
    /// </summary>
    public static async Task<PortTarget> OpenAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel)
    {
        if (OperatingSystem.IsWindows())
        {
            throw new UserErrorException("tpwatch supports the path of a diagnostic port on Linux and macOS only",
                "name the process: -p PID or -n NAME", ExitCode.Unsupported);
        }

        return address.Mode == PortMode.Connect
            ? await ConnectAsync(SystemPaths.Local, address, cancel).ConfigureAwait(false)
            : await ListenAsync(SystemPaths.Local, address, timeout, cancel).ConfigureAwait(false);
    }

    /// <summary>Whether the process is known to be gone; false for a process outside this machine.</summary>
    public bool HasGone => !Target.IsElsewhere && IsGone(Target.Pid);

    internal static bool IsGone(int? local) =>
        local is { } pid && SystemPaths.Local.IsLinux && SystemPaths.Local.Tree.Stat(pid) is null or { HasEnded: true };

    public ValueTask DisposeAsync() => listening?.DisposeAsync() ?? ValueTask.CompletedTask;

    internal Task<LiveSession> OpenSessionAsync(Func<TargetFacts, SessionPlan> plan, CancellationToken cancel) =>
        LiveSession.OpenAsync(new LiveSessionSetting { Resume = address.ResumeRuntime }, Target, plan, cancel);

    static async Task<PortTarget> ConnectAsync(SystemPaths machine, PortAddress address, CancellationToken cancel)
    {
        var pid = Knock(address.Path);
        var info = await new DiagnosticPortClient(address.Path, TimeProvider.System).ProcessInfoAsync(cancel).ConfigureAwait(false);
        if (info is not null && address.Before.Contains(info.Cookie))
        {
            throw NoSession($"the runtime behind '{address.Path}' is ending", "wait for the next runtime to connect");
        }

        return info is null
            ? throw NoSession($"the program that listens on '{address.Path}' is not a .NET runtime",
                "give the socket of a running .NET process: dotnet-diagnostic-PID-...-socket")
            : new PortTarget(address, TargetAt(machine, address.Path, pid, info), info.Cookie, listening: null);
    }

    static async Task<PortTarget> ListenAsync(SystemPaths machine, PortAddress address, TimeSpan timeout, CancellationToken cancel)
    {
        var port = SingleRuntimePort.Listen(address);
        try
        {
            (var runtime, var pid) = await port.First.WaitAsync(timeout, cancel).ConfigureAwait(false);
            var info = await new DiagnosticPortClient(port.InnerPath, TimeProvider.System).ProcessInfoAsync(cancel).ConfigureAwait(false);
            info ??= new ProcessInfo((ulong)runtime.Pid, runtime.Cookie, null, null, null, null, null, null);
            return new PortTarget(address, TargetAt(machine, port.InnerPath, pid, info), runtime.Cookie, port);
        }
        catch (TimeoutException e)
        {
            await port.DisposeAsync().ConfigureAwait(false);
            throw new UserErrorException(
                $"no runtime has connected to '{address.Path}' within {Format.Duration(timeout.TotalMilliseconds)}",
                $"start the target with DOTNET_DiagnosticPorts={address.Path},suspend in its environment", ExitCode.NoSession, e);
        }
        catch
        {
            await port.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    // The kernel's pid takes precedence, because the pid in the process's own answer may belong to another namespace.
    internal static Target TargetAt(SystemPaths machine, string path, int? localPid, ProcessInfo info)
    {
        if (localPid == Environment.ProcessId)
        {
            throw TargetErrors.IsSelf(Environment.ProcessId);
        }

        if (localPid is { } pid && ProcessPortrait.Of(machine, pid) is { } portrait)
        {
            return new Target { Pid = pid, Name = portrait.Name, SocketPath = path, StartTime = portrait.Stat.StartTime };
        }

        var theirs = (int)Math.Min(int.MaxValue, info.Pid);
        return new Target
        {
            Pid = theirs,
            Name = info.EntryAssembly is { Length: > 0 } entry ? entry : string.Create(CultureInfo.InvariantCulture, $"process {theirs}"),
            SocketPath = path,
            IsElsewhere = true,
        };
    }

    static int? Knock(string path)
    {
        try
        {
            using Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return PeerProcess.PidOf(socket);
        }
        catch (SocketException e)
        {
            throw e.SocketErrorCode switch
            {
                SocketError.AccessDenied => NoSession($"'{path}' denied access", "run tpwatch as the target's user or as root"),
                SocketError.ConnectionRefused => NoSession(
                    $"no program listens on '{path}'",
                    "its process has ended; if tpwatch itself should listen there, remove the file and write PATH,listen"),
                _ when !File.Exists(path) =>
                    NoSession($"there is no socket at '{path}'", "to wait for a runtime to connect, write PATH,listen"),
                _ => NoSession($"could not connect to '{path}': {e.Message.TrimEnd('.')}",
                    "give the socket of a running .NET process: dotnet-diagnostic-PID-...-socket"),
            };
        }
    }

    static UserErrorException NoSession(string sentence, string hint) => new(sentence, hint, ExitCode.NoSession);
}

/// <summary>
/// Listens on the path to which runtimes connect. The first runtime that connects is the target, and <see cref="InnerPath"/> is its local
/// port, to which clients connect as to any other runtime. Other runtimes, usually children that have inherited the environment, are
/// resumed at once, so that none waits for tpwatch.
/// </summary>
sealed class SingleRuntimePort : IAsyncDisposable
{
    readonly PortAddress address;
    readonly Socket outer;
    readonly RelayPort inner;
    readonly CancellationTokenSource end = new();
    readonly TaskCompletionSource<(Advertisement Runtime, int? LocalPid)> first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    readonly Channel<(Socket Connection, Advertisement Runtime)> greeted = Channel.CreateUnbounded<(Socket, Advertisement)>();
    readonly List<Socket> others = [];
    readonly Task work;

    SingleRuntimePort(PortAddress address, Socket outer, RelayPort inner)
    {
        (this.address, this.outer, this.inner) = (address, outer, inner);
        work = Task.WhenAll(AcceptRuntimesAsync(), SortRuntimesAsync());
    }

    /// <summary>Path of the local socket, in a folder that only its owner may enter.</summary>
    public string InnerPath => inner.Path;

    /// <summary>The first runtime, with its process id in tpwatch's namespace; the id is null if the runtime runs elsewhere.</summary>
    public Task<(Advertisement Runtime, int? LocalPid)> First => first.Task;

    /// <summary>Begins to listen. Throws <see cref="UserErrorException"/> (exit code 3) if no socket can be created at the path.</summary>
    public static SingleRuntimePort Listen(PortAddress address)
    {
        var outer = ReverseConnectListener.Listen(
            address.Path, $"to connect to it, write {address.Path},connect; if no program listens there anymore, remove the file");
        try
        {
            return new(address, outer, RelayPort.Open());
        }
        catch
        {
            outer.Dispose();
            File.Delete(address.Path);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (end.IsCancellationRequested)
        {
            return;
        }

        await end.CancelAsync().ConfigureAwait(false);
        outer.Dispose();
        await work.ConfigureAwait(false);
        await inner.DisposeAsync().ConfigureAwait(false);
        others.ForEach(o => o.Dispose());
        File.Delete(address.Path);
        end.Dispose();
    }

    async Task AcceptRuntimesAsync()
    {
        await ReverseConnectListener.GreetAsync(outer, (connection, runtime) => greeted.Writer.TryWrite((connection, runtime)), end.Token)
            .ConfigureAwait(false);
        greeted.Writer.Complete();
    }

    // Handles connections one after another, because this method tracks which runtime is the first and which were already resumed.
    async Task SortRuntimesAsync()
    {
        HashSet<Guid> freed = [];
        List<Task> resumed = [];
        await foreach ((var connection, var runtime) in greeted.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            if (!First.IsCompleted && !address.Before.Contains(runtime.Cookie))
            {
                first.SetResult((runtime, PeerProcess.PidOf(connection)));
            }

            if (First.IsCompleted && (await First.ConfigureAwait(false)).Runtime.Cookie == runtime.Cookie)
            {
                inner.Put(connection);
            }
            // A runtime that connects just after the first one has ended stays suspended at its start: it is the target of the port that
            // tpwatch opens next.
            else if (First.IsCompleted && address.ResumeRuntime && freed.Add(runtime.Cookie)
                && !(address.Follows && PortTarget.IsGone((await First.ConfigureAwait(false)).LocalPid)))
            {
                resumed.RemoveAll(t => t.IsCompletedSuccessfully);
                resumed.Add(ReverseConnectListener.ResumeAsync(connection, end.Token));
            }
            else
            {
                // The connection is kept open, because a runtime whose connection is closed connects again and again.
                others.Add(connection);
            }
        }

        await Task.WhenAll(resumed).ConfigureAwait(false);
    }
}

/// <summary>Which side opens a diagnostic port.</summary>
enum PortMode
{
    /// <summary>The runtime listens, tpwatch connects.</summary>
    Connect,

    /// <summary>tpwatch listens, the runtime connects (its <c>DOTNET_DiagnosticPorts=PATH[,suspend]</c>).</summary>
    Listen,
}

/// <summary>The path of a diagnostic port, and which side opens it.</summary>
sealed record PortAddress(string Path, PortMode Mode)
{
    // The kernel's limit for a socket path: 108 bytes with the closing zero, 104 on macOS.
    const int MostPathBytes = 103;

    /// <summary>Whether to resume a runtime that waits at its start.</summary>
    public bool ResumeRuntime { get; init; } = true;

    /// <summary>Whether tpwatch listens on this path again as soon as the process has ended.</summary>
    public bool Follows { get; init; }

    /// <summary>
    /// Cookies of runtimes that were already observed and are not accepted again: an ending runtime still connects, but refuses sessions.
    /// </summary>
    public ImmutableHashSet<Guid> Before { get; init; } = [];

    /// <summary>
    /// Reads <c>PATH</c>, <c>PATH,connect</c> or <c>PATH,listen</c>. With a path alone, tpwatch connects if the path exists, and otherwise
    /// listens, as dotnet-counters and dotnet-trace do. Throws <see cref="UserErrorException"/> (exit code 3) if the text is invalid.
    /// </summary>
    public static PortAddress Parse(string text)
    {
        var comma = text.LastIndexOf(',');
        (var path, var mode) = comma < 0 ? (text, null) : text[(comma + 1)..].ToLowerInvariant() switch
        {
            "connect" => (text[..comma], (PortMode?)PortMode.Connect),
            "listen" => (text[..comma], PortMode.Listen),
            var other => throw Refused($"'{other}' is not a mode of a diagnostic port", "write PATH,connect or PATH,listen"),
        };
        return path switch
        {
            "" => throw Refused("the diagnostic port has an empty path", "write --dport PATH[,connect|listen]"),
            _ when System.Text.Encoding.UTF8.GetByteCount(path) > MostPathBytes => throw Refused(
                $"the path of the diagnostic port is longer than {MostPathBytes} bytes",
                "the operating system does not allow a longer path for a socket; choose a shorter path"),
            _ => new PortAddress(System.IO.Path.GetFullPath(path), mode ?? (File.Exists(path) ? PortMode.Connect : PortMode.Listen)),
        };
    }

    static UserErrorException Refused(string sentence, string hint) => new(sentence, hint, ExitCode.Arguments);
}

/// <summary>The message with which a runtime introduces itself on each connection to a port that tpwatch opened.</summary>
/// <param name="Cookie">Identifies this run of the runtime.</param>
/// <param name="Pid">Process id, in the process's own namespace.</param>
sealed record Advertisement(Guid Cookie, int Pid)
{
    // The message: magic (8 bytes), cookie (16), pid (8), unused (2).
    const int Bytes = 34;
    const int CookieAt = 8;
    const int PidAt = 24;

    /// <summary>Time limit for the message, which a runtime sends as soon as it is connected.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(2);

    static ReadOnlySpan<byte> Magic => "ADVR_V1\0"u8;

    /// <summary>Reads the message; null when the peer is not a runtime, or when the connection or the time limit ends first.</summary>
    public static async Task<Advertisement?> ReadAsync(Socket connection, CancellationToken cancel)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(Limit);
        var message = new byte[Bytes];
        try
        {
            for (var got = 0; got < Bytes;)
            {
                var count = await connection.ReceiveAsync(message.AsMemory(got), limit.Token).ConfigureAwait(false);
                if (count == 0)
                {
                    return null;
                }

                got += count;
            }
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            return null;
        }

        return Parse(message);
    }

    internal static Advertisement? Parse(ReadOnlySpan<byte> message) => message.Length == Bytes && message.StartsWith(Magic)
        ? new Advertisement(
            new Guid(message[CookieAt..PidAt]), (int)Math.Min(int.MaxValue, BinaryPrimitives.ReadUInt64LittleEndian(message[PidAt..])))
        : null;
}

/// <summary>Finds the process at the other end of a Unix socket. The kernel reports its id in tpwatch's pid namespace.</summary>
static class PeerProcess
{
    // SO_PEERCRED of Linux; it returns pid, user and group, four bytes each.
    const int SocketLevel = 1;
    const int PeerCredentials = 17;
    const int CredentialBytes = 12;

    /// <summary>The process id; null outside Linux, and for a process outside tpwatch's namespace.</summary>
    public static int? PidOf(Socket socket)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        Span<byte> credentials = stackalloc byte[CredentialBytes];
        var length = socket.GetRawSocketOption(SocketLevel, PeerCredentials, credentials);
        return length >= sizeof(int) && BinaryPrimitives.ReadInt32LittleEndian(credentials) is > 0 and var pid ? pid : null;
    }
}
