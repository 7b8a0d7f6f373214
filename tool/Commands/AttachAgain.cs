using System.Globalization;
using Tpwatch.Render;

namespace Tpwatch.Commands;

/// <summary>Attaches to the process that was watched before, and to no other that got its number meanwhile.</summary>
internal sealed class AttachAgain(CommandContext context, ProcessRow target, WatchOptions options)
{
    /// <summary>A new session with it.</summary>
    /// <exception cref="ForeseenException">It has ended, or no session could be started.</exception>
    public async Task<IWatch> AttachAsync(CancellationToken cancel)
    {
        var now = await context.Engine.ByPidAsync(target.Pid, cancel);
        return now.StartTime == target.StartTime
            ? await context.Engine.AttachAsync(target.Pid, options, cancel)
            : throw new ForeseenException(
                $"process {target.Pid.ToString(CultureInfo.InvariantCulture)} ({target.Name}) has ended, and another got its number",
                "'dotnet tpwatch ps' lists the processes that one can attach to", ExitCode.NoSession);
    }
}
