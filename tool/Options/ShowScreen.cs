using Tpwatch.Screen;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>
/// Shows an observation on the screen until somebody quits or <paramref name="stop"/> is cancelled; leaves the terminal whole.
/// </summary>
delegate Task ShowScreen(IWatch watch, ScreenRequest request, CancellationToken stop);

/// <summary>
/// Shows that a process is waited for until somebody quits or <paramref name="stop"/> is cancelled; leaves the terminal whole.
/// </summary>
delegate Task ShowWaiting(WaitingFor what, CancellationToken stop);

/// <summary>The same in the looks that were asked for.</summary>
delegate Task ShowWaitingIn(WaitingFor what, ScreenRequest look, CancellationToken stop);

/// <summary>
/// Lets the user choose one of the processes of the machine; null when none was chosen.
/// </summary>
/// <param name="engine">Finds the processes, and looks at each for a few seconds.</param>
/// <param name="request">How the screen looks.</param>
/// <param name="stop">Ends the choice.</param>
delegate Task<ProcessRow?> PickTarget(IEngine engine, ScreenRequest request, CancellationToken stop);

/// <summary>How the screen should look, as asked on the command line; words as in the help.</summary>
/// <param name="Color">auto, always, never, 16 or truecolor.</param>
/// <param name="Glyphs">auto, braille, block or ascii.</param>
/// <param name="Theme">Name of a theme; null is the default one.</param>
/// <param name="FramesPerSecond">At most so many redraws a second.</param>
/// <param name="Time">How moments are written.</param>
sealed record ScreenRequest(string Color, string Glyphs, string? Theme, int FramesPerSecond, TimeStyle Time)
{
    /// <summary>Smooth enough for something that changes twice a second, and little work for a busy box.</summary>
    public const int DefaultFramesPerSecond = 10;

    /// <summary>Whether the mouse is the screen's; else the terminal's own selection works.</summary>
    public bool Mouse { get; init; } = true;

    /// <summary>The same for the terminal.</summary>
    public HostOptions HostOptions(Look look) => new()
    {
        Tick = TimeSpan.FromSeconds(1.0 / FramesPerSecond), Mouse = Mouse, Glyphs = look.Glyphs,
        HasSixteenColors = look.Depth != ColorDepth.TrueColor,
    };

    /// <summary>Of verbs that have a picker and no screen.</summary>
    public static ScreenRequest Default { get; } = new("auto", "auto", null, DefaultFramesPerSecond, TimeStyle.Utc);
}
