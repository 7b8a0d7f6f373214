using System.Globalization;
using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.World;

namespace Tpwatch.Targets;

/// <summary>A process that runs already.</summary>
sealed class RunningTarget(ProcessRow row, IEngine engine) : ITarget
{
    bool attached;

    /// <inheritdoc/>
    public ProcessRow Row => row;

    /// <inheritdoc/>
    public async Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel)
    {
        if (attached && (await engine.ByPidAsync(row.Pid, cancel)).StartTime != row.StartTime)
        {
            throw new ForeseenException(
                $"process {row.Pid.ToString(CultureInfo.InvariantCulture)} ({row.Name}) has ended, and another got its number",
                "'dotnet tpwatch ps' lists the processes that one can attach to", ExitCode.NoSession);
        }

        attached = true;
        return await engine.AttachAsync(row.Pid, options, cancel);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
