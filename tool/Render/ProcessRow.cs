namespace Tpwatch.Render;

/// <summary>A process that one can attach to, as a list shows it.</summary>
/// <param name="Pid">Process id in our own namespace.</param>
/// <param name="Name">Entry assembly, or the process name where that is not known.</param>
/// <param name="ProcessName">Name of the executable; the second name under which a target can be asked for.</param>
/// <param name="Runtime">Version of the runtime; null when the process did not answer.</param>
/// <param name="User">Owner; null when unknown.</param>
/// <param name="CommandLine">The whole command line; null when unknown.</param>
internal sealed record ProcessRow(int Pid, string Name, string? ProcessName, string? Runtime, string? User, string? CommandLine)
{
    /// <summary>Major version of the runtime, or null when unknown.</summary>
    public int? RuntimeMajor =>
        int.TryParse(Runtime?.Split('.')[0], System.Globalization.CultureInfo.InvariantCulture, out var major) ? major : null;

    /// <summary>Whether the process is called so; file systems differ, so case is not looked at.</summary>
    public bool IsCalled(string name) =>
        Name.Equals(name, StringComparison.OrdinalIgnoreCase) || string.Equals(ProcessName, name, StringComparison.OrdinalIgnoreCase);
}
