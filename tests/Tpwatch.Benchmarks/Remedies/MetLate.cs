using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tpwatch.Fixtures.Inside.Kinds;
using Tpwatch.LiveTests.Inside;

namespace Tpwatch.Benchmarks.Remedies;

/// <summary>A program that ends by itself and tells how long its empty items waited, and what the tool says of it meanwhile.</summary>
static class MetLate
{
    /// <summary>A change that leaves more than this share of the time is useless.</summary>
    public const double Helps = 2 / 3.0;

    const string Processors = "8";

    const string Settled = "--settled";

    /// <summary>How much longer it runs where a min that was refused helped at first; items that came before are not counted.</summary>
    static readonly TimeSpan Later = TimeSpan.FromSeconds(60);

    /// <summary>Whether a change made half of the empty items start sooner; within so many milliseconds nothing waits.</summary>
    public static bool Helped(KindResult before, KindResult after, double nothingMs) =>
        after.StartP50Ms <= Math.Max(nothingMs, Helps * before.StartP50Ms);

    /// <summary>The words by which the program has a larger min.</summary>
    public static string[] Least(int min) => ["--min", min.ToString(CultureInfo.InvariantCulture)];

    /// <summary>The same program without and with a min, both counted from the second minute on.</summary>
    public static async Task<(KindResult? Before, KindResult? WithMin)> SettledAsync(Func<string[], Task<KindResult?>> runAsync, int min)
    {
        // Threads that only wait in another place are more room for a while.
        string[] settled = [Settled, Later.TotalSeconds.ToString(CultureInfo.InvariantCulture)];
        return (await runAsync(settled), await runAsync([.. settled, .. Least(min)]));
    }

    /// <summary>How long it runs with these words, seconds.</summary>
    public static double Seconds(TimeSpan usual, string[] words) => (words.Contains(Settled) ? usual + Later : usual).TotalSeconds;

    /// <summary>Runs it to its end.</summary>
    /// <param name="program">The assembly.</param>
    /// <param name="words">Its command line.</param>
    /// <param name="meanwhile">What is done beside it, by its process id.</param>
    /// <param name="cancel">Stops the wait.</param>
    /// <returns>The last line that it wrote.</returns>
    public static async Task<string> RunAsync(string program, string[] words, Func<int, Task> meanwhile, CancellationToken cancel)
    {
        using var process = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, ["exec", program, .. words])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            Environment = { ["DOTNET_PROCESSOR_COUNT"] = Processors },
        })!;
        var all = process.StandardOutput.ReadToEndAsync(cancel);
        await meanwhile(process.Id);
        await process.WaitForExitAsync(cancel);
        return (await all).TrimEnd().Split('\n')[^1];
    }

    /// <summary>The line as what came of the items.</summary>
    public static KindResult Result(string line) => JsonSerializer.Deserialize<KindResult>(line, KindResult.Json)!;

    /// <summary>What <c>report</c> says of a process after so many seconds.</summary>
    public static async Task<SaidOfKind> ReportAsync(int pid, int seconds, CancellationToken cancel)
    {
        using var tool = Process.Start(new ProcessStartInfo(
            BuiltPrograms.Host,
            [
                "exec", BuiltPrograms.WholeTool, "report", "-p", pid.ToString(CultureInfo.InvariantCulture), "--duration", $"{seconds}s",
                "--format", "json",
            ])
        {
            RedirectStandardOutput = true,
        })!;
        var text = await tool.StandardOutput.ReadToEndAsync(cancel);
        await tool.WaitForExitAsync(cancel);
        return SaidOfKind.Parse(text);
    }
}
