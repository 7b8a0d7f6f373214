using System.Globalization;
using System.Runtime.InteropServices;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>The machine in words, without its name: what the numbers depend on.</summary>
internal static class MachineWords
{
    /// <param name="stepsMs">Steps of the coarse clock that the runs learned, milliseconds.</param>
    /// <param name="load">The machine's load before the runs.</param>
    public static string Of(IEnumerable<double> stepsMs, string load)
    {
        var kernel = Environment.OSVersion.Version.ToString(2);
        var steps = string.Join(" or ", stepsMs.Distinct().Order().Select(step => step.ToString("0.#", CultureInfo.InvariantCulture)));
        return FormattableString.Invariant($"{Environment.ProcessorCount} processors, {RuntimeInformation.OSArchitecture.ToString().ToLowerInvariant()}, ")
            + $"kernel {kernel}, clock step {(steps.Length == 0 ? "unknown" : steps + " ms")}, {RuntimeInformation.FrameworkDescription}; {load}.";
    }

    /// <summary>The load average of the last minute; "load unknown" where the system does not tell.</summary>
    public static string LoadNow() => File.Exists("/proc/loadavg")
        ? $"load {File.ReadAllText("/proc/loadavg").Split(' ')[0]} before"
        : "load unknown";
}
