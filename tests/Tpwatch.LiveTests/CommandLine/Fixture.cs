using System.Diagnostics;
using System.Globalization;
using Tpwatch.Lab;

namespace Tpwatch.LiveTests.CommandLine;

/// <summary>A fixture that waits for a line before it does anything; ended with the test.</summary>
sealed class Fixture : IAsyncDisposable
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);
    readonly Process process;

    Fixture(Process process, int pid)
    {
        this.process = process;
        Pid = pid;
    }

    public int Pid { get; }

    public static async Task<Fixture> StartAsync(string scenario = "steady", params (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo(
            BuiltPrograms.Host, [BuiltPrograms.Fixtures, scenario, "--wait-for-enter"])
        {
            RedirectStandardInput = true, RedirectStandardOutput = true,
        };
        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        var process = Process.Start(start)!;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(Limit);
        while (await process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
        {
            if (line.StartsWith("READY ", StringComparison.Ordinal))
            {
                return new(process, int.Parse(line.AsSpan(6), CultureInfo.InvariantCulture));
            }
        }

        process.Dispose();
        throw new InvalidOperationException($"the fixture {scenario} ended without getting ready");
    }

    public async ValueTask DisposeAsync()
    {
        process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync();
        process.Dispose();
    }
}
