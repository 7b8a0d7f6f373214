using Tpwatch.Screen;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>
/// Callback that shows an observation on the screen until the user quits or <paramref name="stop"/> is cancelled; restores the terminal.
/// </summary>
delegate Task ShowScreen(IWatch watch, ScreenRequest request, CancellationToken stop);

/// <summary>
/// Callback that shows the wait for a process until the user quits or <paramref name="stop"/> is cancelled; restores the terminal.
/// </summary>
delegate Task ShowWaiting(WaitingFor what, CancellationToken stop);

/// <summary>Callback that shows, in the requested appearance of the screen, that tpwatch waits for a process.</summary>
delegate Task ShowWaitingIn(WaitingFor what, ScreenRequest look, CancellationToken stop);

/// <summary>Callback that lets the user choose a process of this machine; returns null if the user chose none.</summary>
/// <param name="engine">Finds the processes, and watches each of them for a few seconds.</param>
/// <param name="request">The appearance of the screen.</param>
/// <param name="stop">Cancels the choice.</param>
delegate Task<ProcessRow?> PickTarget(IEngine engine, ScreenRequest request, CancellationToken stop);

/// <summary>The requested appearance of the screen, in the words of the command line.</summary>
/// <param name="Color">auto, always, never, 16 or truecolor.</param>
/// <param name="Glyphs">auto, braille, block or ascii.</param>
/// <param name="Theme">Name of a theme; null for the default.</param>
/// <param name="FramesPerSecond">Maximum number of redraws per second.</param>
/// <param name="Time">How points in time are written.</param>
sealed record ScreenRequest(string Color, string Glyphs, string? Theme, int FramesPerSecond, TimeStyle Time)
{
    /// <summary>Default of <c>--fps</c>: smooth enough for data that changes twice a second, and little work for a busy machine.</summary>
    public const int DefaultFramesPerSecond = 10;

    /// <summary>Whether the screen handles the mouse; if not, the terminal's own selection works.</summary>
    public bool Mouse { get; init; } = true;

    /// <summary>Returns the options of the terminal host for this request.</summary>
    public HostOptions HostOptions(Look look) => new()
    {
        Tick = TimeSpan.FromSeconds(1.0 / FramesPerSecond), Mouse = Mouse, Glyphs = look.Glyphs,
        HasSixteenColors = look.Depth != ColorDepth.TrueColor,
    };

    /// <summary>The request of commands that show the process picker but no screen.</summary>
    public static ScreenRequest Default { get; } = new("auto", "auto", null, DefaultFramesPerSecond, TimeStyle.Utc);
}
