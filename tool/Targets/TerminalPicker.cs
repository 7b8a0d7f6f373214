using Tpwatch.Render.Shared;
using Tpwatch.Screen.FrontEnds;
using Tpwatch.Screen.Picker;
using Tpwatch.World;

namespace Tpwatch.Targets;

/// <summary>Lets somebody at the terminal choose a process.</summary>
sealed class TerminalPicker(IFrontEnd front)
{
    /// <inheritdoc cref="PickTarget"/>
    public async Task<ProcessRow?> PickAsync(Func<CancellationToken, Task<IReadOnlyList<ProcessRow>>> find,
        ScreenRequest request, CancellationToken stop)
    {
        var app = new PickerApp(() => find(stop), ScreenLook.Of(request), TimeProvider.System);
        var options = new FrontEndOptions { Tick = TimeSpan.FromSeconds(1.0 / request.FramesPerSecond) };
        await new ScreenThread(front).RunAsync(app, options, stop);
        return app.Chosen;
    }
}
