using System.Diagnostics;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.LiveTests.Targets;

/// <summary>A fixture that runs: observed first, begun then, asked for its truth at the end. Ends with its test.</summary>
sealed class FixtureTarget : IAsyncDisposable
{
    readonly FixtureProcess process;
    readonly string truthFile;

    FixtureTarget(FixtureProcess process, string truthFile) => (this.process, this.truthFile) = (process, truthFile);

    /// <summary>The process that misbehaves; with --processors not the one that was started.</summary>
    public int Pid => process.Pid;

    /// <summary>Starts a scenario and waits until it can be observed.</summary>
    public static Task<FixtureTarget> StartAsync(TargetRuntime runtime, CancellationToken cancel, params string[] arguments) =>
        StartAsync(FixtureBuild.Command(runtime), cancel, arguments);

    /// <summary>The same with the command of a program that holds fixtures.</summary>
    public static async Task<FixtureTarget> StartAsync(ProcessStartInfo start, CancellationToken cancel, params string[] arguments)
    {
        var truth = Path.Combine(Path.GetTempPath(), $"tpwatch-truth-{Guid.NewGuid():N}.ndjson");
        return new(await FixtureProcess.StartAsync(start, [.. arguments, "--truth", truth], cancel: cancel), truth);
    }

    /// <summary>Lets the scenario begin.</summary>
    public Task BeginAsync() => process.BeginAsync();

    /// <summary>Waits for the end and reads what the fixture says of itself.</summary>
    public async Task<RunTruth> TruthAsync(CancellationToken cancel)
    {
        await process.ExitAsync(cancel);
        using var file = File.OpenText(truthFile);
        return TruthReader.Read(file);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await process.DisposeAsync();
        File.Delete(truthFile);
    }
}
