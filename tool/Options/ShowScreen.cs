using Tpwatch.Screen;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>
/// Shows an observation on the screen until the user quits or <paramref name="stop"/> is cancelled; restores the terminal.
/// </summary>
delegate Task ShowScreen(IWatch watch, ScreenRequest request, CancellationToken stop);

/// <summary>
/// Shows that tpwatch waits for a process, until the user quits or <paramref name="stop"/> is cancelled; restores the terminal.
/// </summary>
delegate Task ShowWaiting(WaitingFor what, CancellationToken stop);

/// <summary>Shows that tpwatch waits for a process, in the requested look.</summary>
delegate Task ShowWaitingIn(WaitingFor what, ScreenRequest look, CancellationToken stop);

/// <summary>Lets the user choose one of the processes of the machine; null if the user chose none.</summary>
/// <param name="engine">Finds the processes, and watches each for a few seconds.</param>
/// <param name="request">How the screen looks.</param>
/// <param name="stop">Cancels the choice.</param>
delegate Task<ProcessRow?> PickTarget(IEngine engine, ScreenRequest request, CancellationToken stop);

/// <summary>How the screen should look, as given on the command line; words as in the help.</summary>
/// <param name="Color">auto, always, never, 16 or truecolor.</param>
/// <param name="Glyphs">auto, braille, block or ascii.</param>
/// <param name="Theme">Name of a theme; null for the default.</param>
/// <param name="FramesPerSecond">Most redraws per second.</param>
/// <param name="Time">How moments are written.</param>
sealed record ScreenRequest(string Color, string Glyphs, string? Theme, int FramesPerSecond, TimeStyle Time)
{
    /// <summary>Smooth enough for data that changes twice a second, and little work for a busy machine.</summary>
    public const int DefaultFramesPerSecond = 10;

    /// <summary>Whether the screen takes the mouse; otherwise the terminal's own selection works.</summary>
    public bool Mouse { get; init; } = true;

    /// <summary>The options of the terminal host for this request.</summary>
    public HostOptions HostOptions(Look look) => new()
    {
        Tick = TimeSpan.FromSeconds(1.0 / FramesPerSecond), Mouse = Mouse, Glyphs = look.Glyphs,
        HasSixteenColors = look.Depth != ColorDepth.TrueColor,
    };

    /// <summary>The request of commands that have a picker but no screen.</summary>
    public static ScreenRequest Default { get; } = new("auto", "auto", null, DefaultFramesPerSecond, TimeStyle.Utc);
}
