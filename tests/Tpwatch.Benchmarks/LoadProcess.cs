using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.Benchmarks;

/// <summary>The running child of `price`.</summary>
sealed class LoadProcess : IAsyncDisposable
{
    readonly Process process;

    LoadProcess(Process process) => this.process = process;

    public int Pid => process.Id;

    public static async Task<LoadProcess> StartAsync(int chains, string kind = SaturatingLoad.Name)
    {
        string[] arguments =
            [Path.Combine(AppContext.BaseDirectory, "Tpwatch.Benchmarks.dll"), kind, chains.ToString(CultureInfo.InvariantCulture)];
        var start = new ProcessStartInfo(BuiltPrograms.Host, arguments) { RedirectStandardInput = true, RedirectStandardOutput = true };
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

    public async ValueTask DisposeAsync()
    {
        process.Kill();
        await process.WaitForExitAsync();
        process.Dispose();
    }
}
