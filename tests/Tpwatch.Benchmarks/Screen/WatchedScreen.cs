using System.Diagnostics;
using System.Globalization;
using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>The real tool with its screen in a terminal of our own, watching a fixture.</summary>
sealed class WatchedScreen : IAsyncDisposable
{
    public const int Width = 100;
    public const int Height = 30;

    static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(30);

    readonly FixtureProcess fixture;

    WatchedScreen(FixtureProcess fixture, OwnTerminal terminal) => (this.fixture, Terminal) = (fixture, terminal);

    public OwnTerminal Terminal { get; }

    /// <summary>Starts both, and the scenario when it shall begin; returns when the screen is live.</summary>
    public static Task<WatchedScreen> StartAsync(bool begin, params string[] scenario) =>
        StartOfAsync(BuiltPrograms.Tool, begin, scenario);

    /// <summary>The same of a tool built elsewhere.</summary>
    public static async Task<WatchedScreen> StartOfAsync(string tool, bool begin, params string[] scenario)
    {
        var start = new ProcessStartInfo(BuiltPrograms.Host);
        start.ArgumentList.Add("exec");
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.dll"));
        var fixture = await FixtureProcess.StartAsync(start, processors: 8, scenario);
        var screen = new WatchedScreen(fixture, OpenOf(tool, "-p", fixture.Pid.ToString(CultureInfo.InvariantCulture)));
        await MustAsync(screen.Terminal, "LIVE");
        if (begin)
        {
            await fixture.BeginAsync();
        }

        return screen;
    }

    /// <summary>The tool with some arguments, in a terminal.</summary>
    public static OwnTerminal Open(params string[] arguments) => OpenOf(BuiltPrograms.Tool, arguments);

    /// <summary>The same of a tool built elsewhere.</summary>
    public static OwnTerminal OpenOf(string tool, params string[] arguments) =>
        OwnTerminal.Start((Width, Height), [BuiltPrograms.Host, "exec", tool, .. arguments], ("COLORTERM", "truecolor"));

    /// <summary>Waits for a text in a whole frame.</summary>
    public static async Task MustAsync(OwnTerminal terminal, string text) =>
        _ = await terminal.WaitAsync(t => FrameText.Shows(t, text), StartLimit)
            ?? throw new InvalidOperationException($"the screen never showed {text}:\n{terminal.Text}");

    public async ValueTask DisposeAsync()
    {
        await Terminal.TypeAsync("q");
        await Terminal.ExitAsync(StartLimit);
        await Terminal.DisposeAsync();
        await fixture.DisposeAsync();
    }
}
