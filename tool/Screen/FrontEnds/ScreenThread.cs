using Tpwatch.Screen.Frame;

namespace Tpwatch.Screen.FrontEnds;

/// <summary>Runs a front end on a thread of its own: reading keys and drawing must go on whatever our own pool does.</summary>
sealed class ScreenThread(IFrontEnd front)
{
    /// <summary>Completes when the front end has given the terminal back; fails with what failed in it.</summary>
    public Task RunAsync(IUiApp app, FrontEndOptions options, CancellationToken stop)
    {
        var shown = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() => Run(app, options, shown, stop)) { Name = "tpwatch screen" }.Start();
        return shown.Task;
    }

    void Run(IUiApp app, FrontEndOptions options, TaskCompletionSource shown, CancellationToken stop)
    {
#pragma warning disable CA1031 // the failure belongs to whoever awaits the screen; the terminal has been reset by then
        try
        {
            front.Run(app, options, stop);
            shown.SetResult();
        }
        catch (Exception e)
        {
            shown.SetException(e);
        }
#pragma warning restore CA1031
    }
}
