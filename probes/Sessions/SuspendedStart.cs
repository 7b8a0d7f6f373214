using System.Diagnostics;

namespace Tpwatch.Sessions;

/// <summary>How a program is started so that its runtime waits until somebody lets it go on.</summary>
static class SuspendedStart
{
    /// <summary>What the runtime reads.</summary>
    public const string Variable = "DOTNET_DefaultDiagnosticPortSuspend";

    // Eight digits: the runtime reads them as a hexadecimal number of 32 bits.
    const int LeastMark = 10_000_000;
    const int MostMark = 80_000_000;

    /// <summary>The same command, suspended at its start.</summary>
    public static ProcessStartInfo Of(ProcessStartInfo command)
    {
        ProcessStartInfo start = new(CommandPath.Find(command.FileName))
        {
            UseShellExecute = false,
            Arguments = command.Arguments,
            WorkingDirectory = command.WorkingDirectory,
            RedirectStandardInput = command.RedirectStandardInput,
            RedirectStandardOutput = command.RedirectStandardOutput,
            RedirectStandardError = command.RedirectStandardError,
        };
        foreach (var word in command.ArgumentList)
        {
            start.ArgumentList.Add(word);
        }

        start.Environment.Clear();
        foreach ((var key, var value) in command.Environment)
        {
            start.Environment[key] = value;
        }

        // Any number but 0 suspends; one of its own makes the process known to its guard.
        start.Environment[Variable] = Random.Shared.Next(LeastMark, MostMark).ToString(CultureInfo.InvariantCulture);
        return start;
    }
}
