using System.Diagnostics;
using Tpwatch.Options;
using Tpwatch.Sessions;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>The program after <c>--</c>: tpwatch launches it, observes it from its first instruction, and ends it on exit.</summary>
sealed class LaunchedCommand(CommandRequest request) : ITarget
{
    /// <summary>Time limit for the exit, which follows the stream's end within milliseconds, or later if the program dumps core.</summary>
    static readonly TimeSpan ExitPatience = TimeSpan.FromSeconds(10);

    LaunchedProcess? process;

    public ProcessRow Row { get; } = new(0, request.Name, null, null, string.Join(' ', request.Words));

    public async Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel)
    {
        if (process is not null)
        {
            return new LiveWatch(await ThreadPoolWatch.AttachAsync(process.Pid, options, cancel), hasTarget: true);
        }

        process = await LaunchedProcess.StartAsync(StartInfo(), request.ShowIo ? Console.OpenStandardError() : null);
        return new LiveWatch(await ThreadPoolWatch.AttachAsync(process, options, cancel), hasTarget: true);
    }

    public async Task<int?> ExitCodeAsync(CancellationToken cancel)
    {
        if (process is null)
        {
            return null;
        }

        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        patience.CancelAfter(ExitPatience);
        try
        {
            return await process.Exit.WaitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    public ValueTask DisposeAsync() => process?.DisposeAsync() ?? ValueTask.CompletedTask;

    // Standard output of tpwatch is for results only, so output of the program goes to the standard error of tpwatch.
    ProcessStartInfo StartInfo()
    {
        var start = new ProcessStartInfo(request.Words[0])
        {
            UseShellExecute = false,
            RedirectStandardInput = !request.ShowIo,
            RedirectStandardOutput = true,
            RedirectStandardError = !request.ShowIo,
        };
        foreach (var word in request.Words.Skip(1))
        {
            start.ArgumentList.Add(word);
        }

        return start;
    }
}
