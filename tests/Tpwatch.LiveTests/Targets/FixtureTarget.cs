using System.Diagnostics;
using System.Globalization;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.LiveTests.Targets;

/// <summary>A fixture that runs: observed first, begun then, asked for its truth at the end. Ends with its test.</summary>
sealed class FixtureTarget : IAsyncDisposable
{
    static readonly TimeSpan ReadyLimit = TimeSpan.FromSeconds(30);

    readonly Process process;
    readonly string truthFile;
    Task<string>? rest;

    FixtureTarget(Process process, string truthFile) => (this.process, this.truthFile) = (process, truthFile);

    /// <summary>The process that misbehaves; with --processors not the one that was started.</summary>
    public int Pid { get; private set; }

    /// <summary>Starts a scenario and waits until it can be observed.</summary>
    public static async Task<FixtureTarget> StartAsync(TargetRuntime runtime, CancellationToken cancel, params string[] arguments) =>
        await StartAsync(FixtureBuild.Command(runtime), cancel, arguments);

    /// <summary>The same with the command of a program that holds fixtures.</summary>
    public static async Task<FixtureTarget> StartAsync(ProcessStartInfo start, CancellationToken cancel, params string[] arguments)
    {
        var truth = Path.Combine(Path.GetTempPath(), $"tpwatch-truth-{Guid.NewGuid():N}.ndjson");
        foreach (var argument in (string[])[.. arguments, "--wait-for-enter", "--truth", truth])
        {
            start.ArgumentList.Add(argument);
        }

        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (true, true, true);
        var target = new FixtureTarget(Process.Start(start)!, truth);
        await target.ReadyAsync(cancel);
        return target;
    }

    /// <summary>Lets the scenario begin.</summary>
    public async Task BeginAsync()
    {
        rest = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        await process.StandardInput.WriteLineAsync();
        await process.StandardInput.FlushAsync();
    }

    /// <summary>Waits for the end and reads what the fixture says of itself.</summary>
    public async Task<RunTruth> TruthAsync(CancellationToken cancel)
    {
        await process.WaitForExitAsync(cancel);
        using var file = File.OpenText(truthFile);
        return TruthReader.Read(file);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
        }

        if (rest is not null)
        {
            await rest;
        }

        process.Dispose();
        File.Delete(truthFile);
    }

    async Task ReadyAsync(CancellationToken cancel)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(ReadyLimit);
        while (await process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
        {
            if (line.StartsWith("READY ", StringComparison.Ordinal))
            {
                Pid = int.Parse(line["READY ".Length..], CultureInfo.InvariantCulture);
                return;
            }
        }

        Assert.Fail("the fixture ended before it was ready:\n" + await process.StandardError.ReadToEndAsync(limit.Token));
    }
}
