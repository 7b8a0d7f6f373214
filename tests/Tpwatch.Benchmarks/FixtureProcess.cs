using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.Benchmarks;

/// <summary>
/// A fixture that waits for its begin. It runs as a copy in a folder that says nothing about this machine, since a recording holds the
/// command line, and with the processor count in its environment, so that the process started is the one to observe.
/// </summary>
sealed class FixtureProcess : IAsyncDisposable
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    static readonly string Folder = Path.Combine(Path.GetTempPath(), "fixtures");

    readonly Process process;
    Task<string>? rest;

    FixtureProcess(Process process) => this.process = process;

    public int Pid => process.Id;

    public static async Task<FixtureProcess> StartAsync(int processors, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", ["exec", Copy(), .. arguments, "--wait-for-enter"])
        {
            RedirectStandardInput = true, RedirectStandardOutput = true,
        };
        start.Environment["DOTNET_PROCESSOR_COUNT"] = processors.ToString(CultureInfo.InvariantCulture);
        var fixture = new FixtureProcess(Process.Start(start)!);
        using var limit = new CancellationTokenSource(Limit);
        while (await fixture.process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
        {
            if (line.StartsWith("READY ", StringComparison.Ordinal))
                return fixture;
        }

        throw new InvalidOperationException("the fixture ended before it was ready");
    }

    public async Task BeginAsync()
    {
        rest = process.StandardOutput.ReadToEndAsync();
        await process.StandardInput.WriteLineAsync();
        await process.StandardInput.FlushAsync();
    }

    public Task ExitAsync(CancellationToken cancel) => process.WaitForExitAsync(cancel);

    public async ValueTask DisposeAsync()
    {
        if (!process.HasExited)
        {
            process.Kill();
            await process.WaitForExitAsync();
        }

        if (rest is not null)
            await rest;
        process.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    static string Copy()
    {
        Directory.CreateDirectory(Folder);
        foreach (var file in Directory.GetFiles(AppContext.BaseDirectory, "Tpwatch.Fixtures.*"))
            File.Copy(file, Path.Combine(Folder, Path.GetFileName(file)), overwrite: true);
        return Path.Combine(Folder, "Tpwatch.Fixtures.dll");
    }
}
