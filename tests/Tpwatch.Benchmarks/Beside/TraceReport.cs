using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Tpwatch.Core;

namespace Tpwatch.Benchmarks.Beside;

/// <summary>A line of dotnet-trace's <c>report topN</c>.</summary>
/// <param name="Place">Its number.</param>
/// <param name="Method">The method as it is printed, without its arguments.</param>
/// <param name="Share">Of the time, in its words.</param>
readonly record struct TraceLine(int Place, string Method, string Share);

/// <summary>What dotnet-trace says of a process: sampled for some seconds, then its own report.</summary>
/// <param name="Exclusive">Where threads were.</param>
/// <param name="Inclusive">What they were in.</param>
/// <param name="Bytes">Size of what it wrote.</param>
sealed partial record TraceReport(TraceLine[] Exclusive, TraceLine[] Inclusive, long Bytes)
{
    const int Told = 5;

    /// <summary>More than a reader looks at.</summary>
    const int Listed = 200;

    /// <summary>Of the tool manifest; fetched unless it is there.</summary>
    public static Task RestoreAsync(CancellationToken cancel) => RunAsync(cancel, "tool", "restore");

    /// <summary>Samples for so many seconds.</summary>
    public static async Task<TraceReport> OfAsync(int pid, int seconds, CancellationToken cancel)
    {
        var file = Path.Combine(Path.GetTempPath(), $"beside-{Guid.NewGuid():N}.nettrace");
        try
        {
            await RunAsync(cancel, "tool", "run", "dotnet-trace", "--", "collect", "-p", pid.ToString(CultureInfo.InvariantCulture),
                "--profile", "dotnet-sampled-thread-time", "--duration", $"00:00:{seconds:00}", "-o", file);
            return new(await TopAsync(file, Told, cancel), await TopAsync(file, Listed, cancel, "--inclusive"), new FileInfo(file).Length);
        }
        finally
        {
            File.Delete(file);
            // It makes one beside in order to read it.
            File.Delete(file + ".etlx");
        }
    }

    static async Task<TraceLine[]> TopAsync(string file, int count, CancellationToken cancel, params string[] more) =>
    [
        .. (await RunAsync(cancel, ["tool", "run", "dotnet-trace", "--", "report", file, "topN",
            "-n", count.ToString(CultureInfo.InvariantCulture), .. more])).Split('\n').Select(line => Line.Match(line))
            .Where(match => match.Success)
            .Select(match => new TraceLine(int.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture),
                match.Groups[2].Value.Split('(')[0].Trim(), match.Groups[more.Length == 0 ? 4 : 3].Value)),
    ];

    static async Task<string> RunAsync(CancellationToken cancel, params string[] words)
    {
        using var process = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, words)
        {
            RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = BuiltPrograms.Root,
        })!;
        var texts = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(cancel), process.StandardError.ReadToEndAsync(cancel));
        await process.WaitForExitAsync(cancel);
        return process.ExitCode == 0
            ? texts[0]
            : throw new UserErrorException(
                $"dotnet {words[0]} {words[1]} ended with {process.ExitCode}: {texts[1].Trim()}", "try it by hand", ExitCode.NoSession);
    }

    // "2. Monitor.Wait(class System.Object,int32)      20%      20%": inclusive, then exclusive.
    [GeneratedRegex(@"^(\d+)\.\s+(\S.*?)\s{2,}(\S+%)\s+(\S+%)\s*$")]
    static partial Regex Line { get; }
}
