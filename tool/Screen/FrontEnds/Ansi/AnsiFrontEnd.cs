using Tpwatch.Screen.Frame;

namespace Tpwatch.Screen.FrontEnds.Ansi;

/// <summary>The screen on a terminal that understands escape sequences; no dependency. Runs may follow each other, not overlap.</summary>
sealed class AnsiFrontEnd : IFrontEnd
{
    // Nobody can end a read of the console: one reader serves every run, or the one before would take the keys of the next.
    readonly KeyReader keys = new();

    public int Run(IUiApp app, FrontEndOptions options, CancellationToken stop)
    {
        using var run = new AnsiRun(app, options, keys);
        using var stopped = stop.Register(run.Wake);
        run.UntilEnd(stop);
        return 0;
    }

    /// <summary>Whether there is a terminal on both sides that could show a screen.</summary>
    public static bool IsPossible(Func<string, string?> environment) =>
        !Console.IsInputRedirected && !Console.IsOutputRedirected && environment("TERM") != "dumb"
        && (OperatingSystem.IsWindows() || !string.IsNullOrEmpty(environment("TERM")));
}
