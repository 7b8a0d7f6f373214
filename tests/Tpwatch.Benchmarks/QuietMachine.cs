using System.Globalization;
using Tpwatch.Core;

namespace Tpwatch.Benchmarks;

/// <summary>Whether the machine is quiet enough for figures that are to be those of a quiet one.</summary>
static class QuietMachine
{
    /// <summary>
    /// Processes that run or want to, a processor, in the mean of the last minute. More, and some run of the many finds no processor free.
    /// </summary>
    const double MostLoad = 0.7;

    const string Averages = "/proc/loadavg";

    /// <summary>Throws when it is not; where the system does not tell, nobody knows.</summary>
    public static void Require()
    {
        if (Refusal(File.Exists(Averages) ? File.ReadAllText(Averages) : "", Environment.ProcessorCount) is { } refusal)
        {
            throw refusal;
        }
    }

    /// <param name="averages">As Linux writes them: of one, five and fifteen minutes, and more; empty when unknown.</param>
    /// <param name="processors">Of the machine.</param>
    public static UserErrorException? Refusal(string averages, int processors) =>
        double.TryParse(averages.Split(' ')[0], CultureInfo.InvariantCulture, out var load) && load > MostLoad * processors
            ? new(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"The machine is not quiet: its load of the last minute is {load:0.00} on {processors} "
                        + $"processors, at most {MostLoad * processors:0.0} is."),
                "End what else runs and wait a minute, or leave --quiet out.",
                ExitCode.Arguments)
            : null;
}
