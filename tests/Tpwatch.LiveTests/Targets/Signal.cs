using System.Diagnostics;

namespace Tpwatch.LiveTests.Targets;

/// <summary>Signals to processes that a test has started.</summary>
static class Signal
{
    /// <summary>Sends one by its name, such as <c>TERM</c>, and returns when it was sent.</summary>
    public static async Task SendAsync(string name, int pid, CancellationToken cancel)
    {
        // Every shell has it built in, not every machine the program.
        using var kill = Process.Start("/bin/sh", ["-c", FormattableString.Invariant($"kill -s {name} {pid}")]);
        await kill.WaitForExitAsync(cancel);
    }
}
