using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.LiveTests.Targets;

/// <summary>Signals to processes that a test has started.</summary>
static class Signal
{
    /// <summary>Sends one by its name, such as <c>TERM</c>, and returns when it was sent.</summary>
    public static async Task SendAsync(string name, int pid, CancellationToken cancel)
    {
        using var kill = Process.Start("kill", ["-s", name, pid.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync(cancel);
    }
}
