using Tpwatch.Options;
using Tpwatch.Sessions;
using Tpwatch.Targets;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>A process behind a diagnostic port; with time, one after another.</summary>
sealed class BehindPort : ITarget
{
    /// <summary>
    /// How often a socket is tried that a runtime listens at and has not opened again yet: quick enough for a restart, cheap enough for
    /// hours.
    /// </summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(100);

    /// <summary>A process is gone within milliseconds of the end of its stream; one elsewhere is not seen to go.</summary>
    static readonly TimeSpan EndPatience = TimeSpan.FromSeconds(2);

    readonly TimeSpan timeout;
    PortAddress address;
    PortTarget port;

    BehindPort(PortAddress address, TimeSpan timeout, PortTarget port, ProcessRow row)
    {
        (this.address, this.timeout, this.port) = (address, timeout, port);
        Row = row;
    }

    public ProcessRow Row { get; private set; }

    /// <summary>Connects, or waits for a runtime to come.</summary>
    /// <exception cref="ForeseenException">Nobody is there, nobody came, or the port cannot be opened.</exception>
    public static async Task<BehindPort> OpenAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel)
    {
        var (port, row) = await FindAsync(address, timeout, cancel);
        return new(address, timeout, port, row);
    }

    public async Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) =>
        new LiveWatch(await ThreadPoolWatch.AttachAsync(port, options, cancel), hasTarget: true);

    // Runtimes that are turned away meanwhile try again within half a second, and one that waits at its start goes on waiting.
    public async Task<bool> NextAsync(CancellationToken cancel)
    {
        address = address with { Before = address.Before.Add(port.Run) };
        await port.DisposeAsync();
        // A runtime that is ending connects to the port again when it finds somebody there.
        for (var began = TimeProvider.System.GetTimestamp();
            !port.HasGone && TimeProvider.System.GetElapsedTime(began) < EndPatience;)
        {
            await Task.Delay(LookAgain, cancel);
        }

        (port, Row) = await AwaitAsync(cancel);
        return true;
    }

    public ValueTask DisposeAsync() => port.DisposeAsync();

    async Task<(PortTarget Port, ProcessRow Row)> AwaitAsync(CancellationToken cancel)
    {
        var began = TimeProvider.System.GetTimestamp();
        while (true)
        {
            try
            {
                return await FindAsync(address, timeout, cancel);
            }
            catch (ForeseenException e) when (e.ExitCode == ExitCode.NoSession && TimeProvider.System.GetElapsedTime(began) < timeout)
            {
                // The one before has left its socket, or the next has not opened its own.
                await Task.Delay(LookAgain, cancel);
            }
        }
    }

    static async Task<(PortTarget Port, ProcessRow Row)> FindAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel)
    {
        var port = await PortTarget.OpenAsync(address, timeout, cancel);
        try
        {
            var facts = await TargetPortrait.TakeAsync(port.Target, cancel);
            return (port, new(port.Target.Pid, facts.Name, facts.RuntimeVersion, null, facts.CommandLine));
        }
        catch
        {
            await port.DisposeAsync();
            throw;
        }
    }
}
