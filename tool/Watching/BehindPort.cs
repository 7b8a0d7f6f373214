using Tpwatch.Attach.Ports;
using Tpwatch.Attach.Targets;
using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.World;

namespace Tpwatch.Watching;

/// <summary>A process behind a diagnostic port.</summary>
sealed class BehindPort : ITarget
{
    readonly PortTarget port;

    BehindPort(PortTarget port, ProcessRow row)
    {
        this.port = port;
        Row = row;
    }

    /// <inheritdoc/>
    public ProcessRow Row { get; }

    /// <summary>Connects, or waits for a runtime to come.</summary>
    /// <exception cref="ForeseenException">Nobody is there, nobody came, or the port cannot be opened.</exception>
    public static async Task<BehindPort> OpenAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel)
    {
        var port = await PortTarget.OpenAsync(address, timeout, cancel);
        try
        {
            var facts = await TargetPortrait.TakeAsync(port.Target, cancel);
            return new(port, new(port.Target.Pid, facts.Name, facts.RuntimeVersion, null, facts.CommandLine));
        }
        catch
        {
            await port.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc/>
    public async Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) =>
        new LiveWatch(await ThreadPoolWatch.AttachAsync(port, options, cancel), hasTarget: true);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => port.DisposeAsync();
}
