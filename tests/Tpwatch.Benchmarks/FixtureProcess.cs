using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.Benchmarks;

/// <summary>
/// A fixture that waits for its begin, with the processor count in its environment, so that it need not start itself again for that. Where
/// it does so all the same, the process to observe is the second one.
/// </summary>
sealed class FixtureProcess : IAsyncDisposable
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    readonly Process process;
    Task<string>? rest;

    FixtureProcess(Process process) => this.process = process;

    public int Pid { get; private set; }

    public static async Task<FixtureProcess> StartAsync(ProcessStartInfo start, int processors, IEnumerable<string> arguments)
    {
        foreach (var argument in arguments.Append("--wait-for-enter"))
            start.ArgumentList.Add(argument);
        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (true, true, true);
        start.Environment["DOTNET_PROCESSOR_COUNT"] = processors.ToString(CultureInfo.InvariantCulture);
        var fixture = new FixtureProcess(Process.Start(start)!);
        try
        {
            await fixture.ReadyAsync();
            return fixture;
        }
        catch
        {
            await fixture.DisposeAsync();
            throw;
        }
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
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync();
        }

        if (rest is not null)
            await rest;
        process.Dispose();
    }

    async Task ReadyAsync()
    {
        using var limit = new CancellationTokenSource(Limit);
        while (await process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
        {
            if (line.StartsWith("READY ", StringComparison.Ordinal))
            {
                Pid = int.Parse(line["READY ".Length..], CultureInfo.InvariantCulture);
                return;
            }
        }

        var errors = await process.StandardError.ReadToEndAsync(limit.Token);
        throw new InvalidOperationException($"the fixture ended before it was ready: {errors.ReplaceLineEndings(" ")}");
    }
}
