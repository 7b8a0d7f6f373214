using Tpwatch.Screen.Frame;

namespace Tpwatch.Screen.FrontEnds;

/// <summary>Puts grids somewhere and brings keys; owns the loop.</summary>
interface IFrontEnd
{
    /// <summary>
    /// Runs until a key quits, <paramref name="stop"/> is set, or the other side is gone; all of these are an orderly end and return 0.
    /// The screen is as it was before when this returns or throws.
    /// </summary>
    int Run(IUiApp app, FrontEndOptions options, CancellationToken stop);
}
