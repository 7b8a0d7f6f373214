using Tpwatch.Options;
using Tpwatch.Screen;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Lets the user at the terminal choose a process.</summary>
static class TerminalPicker
{
    /// <summary>Duration of the watch of each process: three counter samples show whether items wait.</summary>
    static readonly TimeSpan LookFor = TimeSpan.FromSeconds(5);

    /// <summary>Time limit for the end of a session; a session that does not end must not delay the choice.</summary>
    static readonly TimeSpan EndPatience = TimeSpan.FromSeconds(2);

    /// <inheritdoc cref="PickTarget"/>
    public static async Task<ProcessRow?> PickAsync(IEngine engine, ScreenRequest request, CancellationToken stop)
    {
        var look = ScreenLook.Of(request);
        using var chosen = CancellationTokenSource.CreateLinkedTokenSource(stop);
        using var turns = new SemaphoreSlim(Together.AtOnce);
        List<Task> looking = [];
        PickerWindow? window = null;
        var links = new PickerLinks(() => Task.Run(() => engine.FindAsync(stop), stop), row =>
        {
            var one = LookAsync(engine, row, turns, chosen.Token);
            looking.Add(one);
            return one;
        });
        await ScreenHost.RunAsync(
            () => new((window = new(links, look, TimeProvider.System)), window.Tick), request.HostOptions(look), stop);
        await chosen.CancelAsync();
        await Task.WhenAny(Task.WhenAll(looking), Task.Delay(EndPatience, CancellationToken.None));
        return window?.Picked;
    }

    // Takes no stacks, because listing processes must not pause them. A process on .NET 8 or earlier is not watched: a session would change
    // the counter interval for good in a process that the user did not choose.
    static async Task<PickerLook> LookAsync(IEngine engine, ProcessRow row, SemaphoreSlim turns, CancellationToken stop)
    {
        if (row.RuntimeMajor is <= BeforeAttaching.LastWithSharedInterval)
        {
            return new(null, $"Not checked: on .NET {row.RuntimeMajor} a check would change the counter interval for all tools. "
                + "Enter watches this process.");
        }

        var mine = false;
        try
        {
            await turns.WaitAsync(stop);
            mine = true;
            await using var watch = await engine.AttachAsync(row, new() { Depth = CaptureDepth.Basic, MayBeStarting = true }, stop);
            await Task.WhenAny(watch.Completion, Task.Delay(LookFor, stop));
            await watch.StopAsync(CancellationToken.None);
            await watch.Completion.WaitAsync(EndPatience, CancellationToken.None);
            return new(watch.Report(), null);
        }
        catch (Exception e) when (e is UserErrorException or OperationCanceledException or TimeoutException)
        {
            return new(null, e.Message);
        }
        finally
        {
            if (mine)
            {
                turns.Release();
            }
        }
    }
}
