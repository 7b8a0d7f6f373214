using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.LiveTests.Targets;

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

    /// <summary>A scenario of the fixtures as they were built.</summary>
    public static Task<FixtureProcess> StartAsync(int processors, params string[] scenario) =>
        StartAsync(FixtureBuild.Command(TargetRuntime.Net10), scenario, processors);

    /// <summary>The command of a program that holds fixtures, and what follows it.</summary>
    public static async Task<FixtureProcess> StartAsync(
        ProcessStartInfo start, IEnumerable<string> arguments, int? processors = null, CancellationToken cancel = default)
    {
        foreach (var argument in arguments.Append("--wait-for-enter"))
        {
            start.ArgumentList.Add(argument);
        }

        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (true, true, true);
        if (processors is { } count)
        {
            start.Environment["DOTNET_PROCESSOR_COUNT"] = $"{count}";
        }

        var fixture = new FixtureProcess(Process.Start(start)!);
        try
        {
            await fixture.ReadyAsync(cancel);
            return fixture;
        }
        catch
        {
            await fixture.DisposeAsync();
            throw;
        }
    }

    /// <summary>Lets the scenario begin.</summary>
    public async Task BeginAsync()
    {
        rest = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        await process.StandardInput.WriteLineAsync();
        await process.StandardInput.FlushAsync();
    }

    public Task ExitAsync(CancellationToken cancel) => process.WaitForExitAsync(cancel);

    public async ValueTask DisposeAsync()
    {
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
        }

        await (rest ?? Task.FromResult(""));
        process.Dispose();
    }

    async Task ReadyAsync(CancellationToken cancel)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(Limit);
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
