using System.Net.Sockets;
using System.Threading.Channels;

namespace Tpwatch.Sessions;

/// <summary>A runtime that has connected to a shared port.</summary>
/// <param name="Said">The runtime's introduction.</param>
/// <param name="LocalPid">The runtime's process id in tpwatch's namespace; null if it does not run on this machine.</param>
/// <param name="Port">The local port that was opened for the runtime.</param>
/// <param name="Came">The timestamp of the runtime's first connection.</param>
sealed record PortRuntime(Advertisement Said, int? LocalPid, InnerPort Port, long Came)
{
    /// <summary>The timestamp at which the runtime was last seen to hold a connection.</summary>
    public long Seen { get; init; } = Came;
}

/// <summary>
/// Listens where any number of runtimes connect, and opens a local port for each runtime. A runtime suspended at its start is resumed at
/// once, so that no service starts later because it is watched. A silent or stopped runtime delays no other.
/// </summary>
sealed class SharedPort : IAsyncDisposable
{
    static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Maximum time without a connection before a runtime counts as gone. A live runtime reconnects within milliseconds; for a runtime
    /// outside this machine, the missing connection is the only sign of its exit.
    /// </summary>
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    readonly string path;
    readonly Socket outer;
    readonly CancellationTokenSource end = new();
    readonly Channel<(Socket Connection, Advertisement Runtime)?> greeted = Channel.CreateUnbounded<(Socket, Advertisement)?>();
    readonly List<Task> resumed = [];
    readonly Task work;
    ImmutableDictionary<Guid, PortRuntime> runtimes = ImmutableDictionary<Guid, PortRuntime>.Empty;

    SharedPort(string path, Socket outer)
    {
        (this.path, this.outer) = (path, outer);
        work = Task.WhenAll(AcceptAsync(), SortAsync(), LookAsync());
    }

    /// <summary>The connected runtimes by their cookies; for any thread.</summary>
    public ImmutableDictionary<Guid, PortRuntime> Runtimes => Volatile.Read(ref runtimes);

    /// <summary>Begins to listen. <see cref="UserErrorException"/> (exit code 3) when the path does not allow it.</summary>
    public static SharedPort Listen(string path) =>
        new(path, OuterPort.Listen(path, "if no program listens there anymore, remove the file; otherwise give another path"));

    public async ValueTask DisposeAsync()
    {
        if (end.IsCancellationRequested)
        {
            return;
        }

        await end.CancelAsync().ConfigureAwait(false);
        outer.Dispose();
        await work.ConfigureAwait(false);
        await Task.WhenAll(Runtimes.Values.Select(r => r.Port.DisposeAsync().AsTask())).ConfigureAwait(false);
        File.Delete(path);
        end.Dispose();
    }

    async Task AcceptAsync()
    {
        await OuterPort.GreetAsync(outer, (connection, runtime) => greeted.Writer.TryWrite((connection, runtime)), end.Token)
            .ConfigureAwait(false);
        greeted.Writer.TryComplete();
    }

    // Requests a check of the known runtimes every second.
    async Task LookAsync()
    {
        while (!end.IsCancellationRequested && greeted.Writer.TryWrite(null))
        {
            await Task.WhenAny(Task.Delay(BetweenLooks, end.Token)).ConfigureAwait(false);
        }
    }

    // Handles connections and checks one after another; nothing here waits for a runtime.
    async Task SortAsync()
    {
        await foreach (var one in greeted.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            if (one is { Connection: var connection, Runtime: var runtime })
            {
                Take(connection, runtime);
            }
            else
            {
                await ForgetAsync().ConfigureAwait(false);
            }
        }

        await Task.WhenAll(resumed).ConfigureAwait(false);
    }

    void Take(Socket connection, Advertisement runtime)
    {
        if (Runtimes.TryGetValue(runtime.Cookie, out var known))
        {
            known.Port.Put(connection);
            return;
        }

        var pid = PeerProcess.PidOf(connection);
        resumed.RemoveAll(t => t.IsCompletedSuccessfully);
        resumed.Add(OuterPort.ResumeAsync(connection, end.Token));
        try
        {
            PortRuntime come = new(runtime, pid, InnerPort.Open(), TimeProvider.System.GetTimestamp());
            Volatile.Write(ref runtimes, Runtimes.Add(runtime.Cookie, come));
        }
        catch (UserErrorException)
        {
            // No file or socket is left: the runtime runs on unwatched, and connects again.
        }
    }

    async Task ForgetAsync()
    {
        foreach (var (run, runtime) in Runtimes)
        {
            if (!PortTarget.IsGone(runtime.LocalPid) && runtime.Port.IsHeld())
            {
                Volatile.Write(ref runtimes, Runtimes.SetItem(run, runtime with { Seen = TimeProvider.System.GetTimestamp() }));
            }
            else if (PortTarget.IsGone(runtime.LocalPid) || TimeProvider.System.GetElapsedTime(runtime.Seen) > Patience)
            {
                Volatile.Write(ref runtimes, Runtimes.Remove(run));
                await runtime.Port.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
