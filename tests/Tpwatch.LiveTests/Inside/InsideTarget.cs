using System.Diagnostics;
using System.Text.Json;
using Tpwatch.Fixtures.Inside.Truth;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Inside;

/// <summary>A program whose memory is read, from the moment on at which it has told what there is to be read. Ends with its test.</summary>
sealed class InsideTarget : IAsyncDisposable
{
    static readonly TimeSpan ReadyLimit = TimeSpan.FromSeconds(60);

    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(5);

    /// <summary>Threads that have only begun to block get there, and what is due becomes so.</summary>
    static readonly TimeSpan Settled = TimeSpan.FromSeconds(1);

    /// <summary>What a worker needs from its word that it is about to block until it does, on a machine that has time.</summary>
    static readonly TimeSpan Blocking = TimeSpan.FromMilliseconds(200);

    readonly Process process;

    InsideTarget(Process process) => this.process = process;

    /// <summary>What it says of itself.</summary>
    public InsideTruth Truth { get; private set; } = new("");

    /// <summary>Its process.</summary>
    public int Pid => process.Id;

    /// <summary>Whether it is over.</summary>
    public bool HasEnded => process.HasExited;

    /// <summary>Processor time that it has had.</summary>
    public TimeSpan ProcessorTime
    {
        get
        {
            process.Refresh();
            return process.TotalProcessorTime;
        }
    }

    /// <summary>Starts a mode and waits until it has told its truth and has come to rest.</summary>
    public static async Task<InsideTarget> StartAsync(
        TargetRuntime runtime, string mode, CancellationToken cancel, params string[] options)
    {
        var target = await ToldAsync(runtime, mode, cancel, options);
        await Task.Delay(Settled, cancel);
        return target;
    }

    /// <summary>
    /// The same of a mode whose workers all block: until none has run for a second. Each has told that it is about to, and on a busy
    /// machine may wait for a processor until then.
    /// </summary>
    public static async Task<InsideTarget> AtRestAsync(
        TargetRuntime runtime, string mode, CancellationToken cancel, params string[] options)
    {
        var target = await ToldAsync(runtime, mode, cancel, options);
        await Task.Delay(Blocking, cancel);
        string[] before, now = SeenProcesses.WorkersOf(target.Pid);
        do
        {
            before = now;
            await Task.Delay(Settled, cancel);
            now = SeenProcesses.WorkersOf(target.Pid);
        }
        while (!now.SequenceEqual(before, StringComparer.Ordinal) && !target.HasEnded);
        return target;
    }

    /// <summary>The same, without the rest.</summary>
    public static Task<InsideTarget> ToldAsync(TargetRuntime runtime, string mode, CancellationToken cancel, params string[] options) =>
        TellingAsync(InsideBuild.Command(runtime), mode, cancel, options);

    /// <summary>The same of a program that is started in another way.</summary>
    public static async Task<InsideTarget> TellingAsync(
        ProcessStartInfo start, string mode, CancellationToken cancel, params string[] options)
    {
        foreach (var argument in (string[])[mode, .. options])
        {
            start.ArgumentList.Add(argument);
        }

        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (true, true, true);
        var target = new InsideTarget(Process.Start(start)!);
        try
        {
            await target.ReadyAsync(cancel);
            return target;
        }
        catch
        {
            await target.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        using var limit = new CancellationTokenSource(EndLimit);
        try
        {
            process.StandardInput.Close();
            await process.WaitForExitAsync(limit.Token);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
        }

        process.Dispose();
    }

    async Task ReadyAsync(CancellationToken cancel)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(ReadyLimit);
        if (await process.StandardOutput.ReadLineAsync(limit.Token) is not { } line)
        {
            Assert.Fail("it ended before it was ready:\n" + await process.StandardError.ReadToEndAsync(limit.Token));
            return;
        }

        Truth = JsonSerializer.Deserialize<InsideTruth>(line, InsideTruth.Json)!;
    }
}
