using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Tpwatch.Core;

namespace Tpwatch.Lab;

/// <summary>The machine in words, without its name: what the numbers depend on.</summary>
static class MachineWords
{
    /// <param name="load">The machine's load before the runs.</param>
    /// <param name="stepsMs">Steps of the coarse clock that the runs learned, milliseconds.</param>
    public static string Of(string load, params IEnumerable<double> stepsMs)
    {
        var steps = string.Join(" or ", stepsMs.Distinct().Order().Select(step => $"{step:0.#}"));
        return $"{Environment.ProcessorCount} processors, {RuntimeInformation.OSArchitecture.ToString().ToLowerInvariant()}, "
            + $"kernel {Environment.OSVersion.Version.ToString(2)}, clock step {(steps.Length == 0 ? "unknown" : steps + " ms")}, "
            + $"{RuntimeInformation.FrameworkDescription}; {load}; {Version()}.";
    }

    /// <summary>The load average of the last minute; "load unknown" where the system does not tell.</summary>
    public static string LoadNow() => QuietMachine.Load() is { } load ? $"load {load:0.00} before" : "load unknown";

    /// <summary>Which code was measured, and when.</summary>
    static string Version()
    {
        var changed = Git("status --porcelain --untracked-files=no").Length > 0 ? " with changes" : "";
        return $"commit {Git("rev-parse --short HEAD")}{changed}, {DateTime.UtcNow:yyyy-MM-dd}";
    }

    static string Git(string arguments)
    {
        // The programs lie within the repository.
        using var git = Process.Start(
            new ProcessStartInfo("git", arguments) { RedirectStandardOutput = true, WorkingDirectory = AppContext.BaseDirectory })!;
        var said = git.StandardOutput.ReadToEnd().Trim();
        git.WaitForExit();
        return said;
    }
}

/// <summary>Whether the machine is quiet enough for figures that are to be those of a quiet one.</summary>
static class QuietMachine
{
    /// <summary>
    /// Processes that run or want to, a processor, in the mean of the last minute. More, and some run of the many finds no processor free.
    /// </summary>
    const double MostLoad = 0.7;

    const string Averages = "/proc/loadavg";

    /// <summary>The load average of the last minute; null where the system does not tell.</summary>
    public static double? Load() => File.Exists(Averages) ? Load(File.ReadAllText(Averages)) : null;

    /// <summary>Throws when it is not; where the system does not tell, nobody knows.</summary>
    public static void Require()
    {
        if (Refusal(File.Exists(Averages) ? File.ReadAllText(Averages) : "", Environment.ProcessorCount) is { } refusal)
            throw refusal;
    }

    /// <param name="averages">As Linux writes them: of one, five and fifteen minutes, and more; empty when unknown.</param>
    /// <param name="processors">Of the machine.</param>
    public static UserErrorException? Refusal(string averages, int processors) =>
        Load(averages) is { } load && load > MostLoad * processors
            ? new($"The machine is not quiet: its load of the last minute is {load:0.00} on {processors} "
                + $"processors, at most {MostLoad * processors:0.0} is.",
                "End what else runs and wait a minute, or leave --quiet out.", ExitCode.Arguments)
            : null;

    static double? Load(string averages) =>
        double.TryParse(averages.Split(' ')[0], CultureInfo.InvariantCulture, out var load) ? load : null;
}
