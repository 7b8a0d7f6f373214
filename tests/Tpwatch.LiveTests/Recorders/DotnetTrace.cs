using System.Diagnostics;
using System.Reflection;
using System.Text;

namespace Tpwatch.LiveTests.Recorders;

/// <summary>The real dotnet-trace, of the repository's tool manifest, while it records.</summary>
sealed class DotnetTrace : IAsyncDisposable
{
    static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(60);
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(60);

    static readonly string Root = Path.GetFullPath(
        typeof(DotnetTrace).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!);

    readonly StringBuilder said = new();
    readonly TaskCompletionSource recording = new(TaskCreationOptions.RunContinuationsAsynchronously);
    readonly Process process;

    DotnetTrace(Process process) => this.process = process;

    /// <summary>Fetches it, unless it is there already.</summary>
    public static async Task RestoreAsync(CancellationToken cancel)
    {
        var restored = await RunAsync(["tool", "restore"], cancel);
        Assert.True(restored.Code == 0, restored.Said);
    }

    /// <summary>Starts it and waits until it records; the providers as it wants them.</summary>
    public static async Task<DotnetTrace> StartAsync(int pid, string file, string providers, CancellationToken cancel)
    {
        var trace = new DotnetTrace(Process.Start(Start(
            "tool", "run", "dotnet-trace", "--", "collect", "-p",
            pid.ToString(System.Globalization.CultureInfo.InvariantCulture), "--providers", providers, "-o", file))!);
        trace.Listen();
        try
        {
            await trace.recording.Task.WaitAsync(StartLimit, cancel);
            return trace;
        }
        catch (TimeoutException)
        {
            await trace.DisposeAsync();
            throw new TimeoutException($"dotnet-trace did not begin:\n{trace.said}");
        }
    }

    /// <summary>Waits until it has ended, which it does with its target.</summary>
    public Task EndAsync(CancellationToken cancel) => process.WaitForExitAsync(cancel).WaitAsync(EndLimit, cancel);

    public async ValueTask DisposeAsync()
    {
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
        }

        process.Dispose();
    }

    void Listen()
    {
        process.OutputDataReceived += Take;
        process.ErrorDataReceived += Take;
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
    }

    void Take(object sender, DataReceivedEventArgs line)
    {
        said.Append(line.Data).Append('\n');
        // It says so once the session is open.
        if (line.Data?.StartsWith("Output File", StringComparison.Ordinal) == true)
        {
            recording.TrySetResult();
        }
    }

    static async Task<(int Code, string Said)> RunAsync(string[] arguments, CancellationToken cancel)
    {
        using var restore = Process.Start(Start(arguments))!;
        var texts = await Task.WhenAll(restore.StandardOutput.ReadToEndAsync(cancel), restore.StandardError.ReadToEndAsync(cancel));
        await restore.WaitForExitAsync(cancel);
        return (restore.ExitCode, string.Concat(texts));
    }

    static ProcessStartInfo Start(params string[] arguments) => new("dotnet", arguments)
    {
        RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = Root,
    };
}
