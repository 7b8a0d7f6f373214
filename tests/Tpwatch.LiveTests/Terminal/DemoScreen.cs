using System.Globalization;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>A terminal with the screen in it, and a file in which the screen takes notes.</summary>
sealed class DemoScreen : IAsyncDisposable
{
    readonly string notes = Path.Combine(Path.GetTempPath(), $"tpwatch-{Guid.NewGuid():N}.notes");

    DemoScreen(TmuxTerminal terminal) => Terminal = terminal;

    public TmuxTerminal Terminal { get; }

    /// <summary>Starts it and waits for the first frame, unless it is told to wait for another text.</summary>
    public static async Task<DemoScreen> StartAsync(int width, int height,
        string options = "", string environment = "", string until = "quit")
    {
        var screen = new DemoScreen(await TmuxTerminal.StartAsync(width, height));
        var program = Path.Combine(AppContext.BaseDirectory, "Tpwatch.LiveTests.dll");
        await screen.Terminal.EnterAsync($"{environment} dotnet {program} screen {screen.notes} {options}; echo exit=$?");
        await screen.Terminal.WaitForAsync(until);
        return screen;
    }

    public async Task<string> NotesAsync() => await File.ReadAllTextAsync(notes, CancellationToken.None);

    public async Task<int> PidAsync() => int.Parse((await NotesAsync()).Split('\n')[0]["pid ".Length..], CultureInfo.InvariantCulture);

    /// <summary>Now is the time for the failure that was asked for as it was started.</summary>
    public Task FailAsync() => File.WriteAllTextAsync(ScreenDemo.FailureBy(notes), "", CancellationToken.None);

    /// <summary>Sends a signal by its name.</summary>
    public async Task SignalAsync(string name) => await Signal.SendAsync(name, await PidAsync(), TestContext.Current.CancellationToken);

    /// <summary>The process is gone soon, whatever the terminal does.</summary>
    public async Task AssertEndsAsync()
    {
        var pid = await PidAsync();
        var start = TimeProvider.System.GetTimestamp();
        while (SeenProcesses.IsAlive(pid))
        {
            Assert.True(TimeProvider.System.GetElapsedTime(start).TotalSeconds < 20, "still there after 20 s");
            await Task.Delay(50, CancellationToken.None);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Terminal.DisposeAsync();
        await AssertEndsAsync();
        File.Delete(notes);
        File.Delete(ScreenDemo.FailureBy(notes));
    }
}
