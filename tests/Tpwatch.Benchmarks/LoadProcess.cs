using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Runs;

namespace Tpwatch.Benchmarks;

/// <summary>A running process that keeps its pool busy, or is idle without chains.</summary>
sealed class LoadProcess : IAsyncDisposable
{
    /// <summary>Items that do nothing but queue the next.</summary>
    public const string Idle = "idle-load";

    /// <summary>Computing, and a thread that ticks.</summary>
    public const string Ticking = "ticking-load";

    const string Computing = "load";

    readonly Process process;

    LoadProcess(Process process) => this.process = process;

    public int Pid => process.Id;

    /// <summary>On the machine's own runtime.</summary>
    public static Task<LoadProcess> StartAsync(int chains, string kind = Computing) =>
        StartAsync(new(BuiltPrograms.Host, [Path.Combine(AppContext.BaseDirectory, "Tpwatch.Load.dll"), kind, Words(chains)]));

    /// <summary>On a runtime that the machine may not have.</summary>
    public static async Task<LoadProcess> StartAsync(int chains, TargetRuntime runtime) =>
        await StartAsync(new(await PublishedProgram.OfAsync(Path.Combine("tests", "Tpwatch.Load"), runtime), [Computing, Words(chains)]));

    static string Words(int chains) => chains.ToString(CultureInfo.InvariantCulture);

    static async Task<LoadProcess> StartAsync(ProcessStartInfo start)
    {
        (start.RedirectStandardInput, start.RedirectStandardOutput) = (true, true);
        // Optimised from the start: a load that gets faster while it is measured says nothing.
        start.Environment["DOTNET_TieredPGO"] = "0";
        start.Environment["DOTNET_TieredCompilation"] = "0";
        var load = new LoadProcess(Process.Start(start)!);
        await load.process.StandardOutput.ReadLineAsync();
        return load;
    }

    /// <summary>Items since the start, and processor time at the same moment.</summary>
    public async Task<(long Items, double CpuMs)> ReadAsync()
    {
        await process.StandardInput.WriteLineAsync("?");
        await process.StandardInput.FlushAsync();
        var line = await process.StandardOutput.ReadLineAsync();
        return (long.Parse(line!, CultureInfo.InvariantCulture), CpuClock.Ms(Pid));
    }

    /// <summary>The same of a load that ticks, with the longest of its ticks since the last question, milliseconds.</summary>
    public async Task<(long Items, double CpuMs, double LongestMs)> ReadTicksAsync()
    {
        await process.StandardInput.WriteLineAsync("?");
        await process.StandardInput.FlushAsync();
        var words = (await process.StandardOutput.ReadLineAsync())!.Split(' ');
        return (long.Parse(words[0], CultureInfo.InvariantCulture), CpuClock.Ms(Pid), double.Parse(words[1], CultureInfo.InvariantCulture));
    }

    public async ValueTask DisposeAsync()
    {
        process.Kill();
        await process.WaitForExitAsync();
        process.Dispose();
    }
}
