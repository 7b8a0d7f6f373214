using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>The machine in words, without its name: what the numbers depend on.</summary>
static class MachineWords
{
    /// <param name="stepsMs">Steps of the coarse clock that the runs learned, milliseconds.</param>
    /// <param name="load">The machine's load before the runs.</param>
    public static string Of(IEnumerable<double> stepsMs, string load)
    {
        var kernel = Environment.OSVersion.Version.ToString(2);
        var steps = string.Join(" or ", stepsMs.Distinct().Order().Select(step => step.ToString("0.#", CultureInfo.InvariantCulture)));
        return FormattableString.Invariant(
            $"{Environment.ProcessorCount} processors, {RuntimeInformation.OSArchitecture.ToString().ToLowerInvariant()}, ")
            + $"kernel {kernel}, clock step {(steps.Length == 0 ? "unknown" : steps + " ms")}, "
            + $"{RuntimeInformation.FrameworkDescription}; {load}; {Version()}.";
    }

    /// <summary>Which code was measured, and when.</summary>
    static string Version()
    {
        var commit = Git("rev-parse --short HEAD");
        var changed = Git("status --porcelain --untracked-files=no").Length > 0 ? " with changes" : "";
        return FormattableString.Invariant($"commit {commit}{changed}, {DateTime.UtcNow:yyyy-MM-dd}");
    }

    static string Git(string arguments)
    {
        using var git =
            Process.Start(new ProcessStartInfo("git", arguments) { RedirectStandardOutput = true, WorkingDirectory = BuiltPrograms.Root })!;
        var said = git.StandardOutput.ReadToEnd().Trim();
        git.WaitForExit();
        return said;
    }

    /// <summary>The load average of the last minute; "load unknown" where the system does not tell.</summary>
    public static string LoadNow() => Load() is { } load ? FormattableString.Invariant($"load {load:0.00} before") : "load unknown";

    /// <summary>The load average of the last minute; null where the system does not tell.</summary>
    public static double? Load() => File.Exists("/proc/loadavg")
        ? double.Parse(File.ReadAllText("/proc/loadavg").Split(' ')[0], CultureInfo.InvariantCulture)
        : null;
}
