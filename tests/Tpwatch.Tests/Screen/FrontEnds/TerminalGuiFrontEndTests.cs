using System.Globalization;
using System.Text;
using Terminal.Gui.App;
using Terminal.Gui.Drawing;
using Terminal.Gui.Drivers;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.FrontEnds;
using Tpwatch.Screen.FrontEnds.TerminalGui;
using Tpwatch.Screen.Keys;
using Tpwatch.Tests.Structure;
using Attr = Tpwatch.Screen.Canvas.Attr;
using GuiKey = Terminal.Gui.Input.Key;

namespace Tpwatch.Tests.Screen.FrontEnds;

/// <summary>
/// The contract on the adapter for Terminal.Gui, over our own stand-in for that library, since the package does not restore here. It shows
/// that the adapter does its part; what the library does with it nobody has run.
/// </summary>
public sealed class TerminalGuiFrontEndTests : FrontEndContract
{
    const int AdapterLimit = 220;

    [Fact]
    public void The_adapter_stays_small() =>
        Assert.InRange(
            SourceTree.CSharp.Where(f => f.IsUnder("tool/Screen/FrontEnds/TerminalGui")).Sum(f => f.Lines.Length), 1, AdapterLimit);

    [Fact]
    public void The_library_must_not_quit_on_escape_and_must_poll_the_size()
    {
        StandInApplication? host = null;
        Application.OnCreate(a => host = a);
        using var stop = new CancellationTokenSource();
        stop.Cancel();
        new TerminalGuiFrontEnd().Run(new ContractApp(), new FrontEndOptions(), stop.Token);
        Application.OnCreate(null);
        Assert.Equal([KeyCode.Esc], host!.Keyboard.KeyBindings.Removed);
        Assert.Equal((SizeDetectionMode.Polling, true), (Driver.SizeDetection, host.Disposed));
    }

    [Fact]
    public async Task Ctrl_z_ends_the_session_before_the_library_stops_the_process_and_begins_another_after()
    {
        var notes = new List<string>();
        await using var run = new Run((80, 24), new FrontEndOptions
        {
            BeforeSuspend = _ => Note("ended"),
            AfterResume = _ => Note("again"),
        });
        await run.PressAsync(KeyPress.WithCtrl('z'));
        await run.PressAsync(KeyPress.Of('q'));
        await run.EndAsync();
        Assert.Equal("ended", notes[0]);

        Task Note(string text)
        {
            notes.Add(text);
            return Task.CompletedTask;
        }
    }

    internal override Task<IFrontEndRun> StartAsync(int width, int height) =>
        Task.FromResult<IFrontEndRun>(new Run((width, height), new FrontEndOptions()));

    sealed class Run : IFrontEndRun
    {
        static readonly Dictionary<Key, KeyCode> Codes = new()
        {
            [Key.Enter] = KeyCode.Enter, [Key.Escape] = KeyCode.Esc, [Key.Tab] = KeyCode.Tab,
            [Key.Backspace] = KeyCode.Backspace, [Key.Up] = KeyCode.CursorUp,
            [Key.Down] = KeyCode.CursorDown, [Key.Left] = KeyCode.CursorLeft,
            [Key.Right] = KeyCode.CursorRight, [Key.PageUp] = KeyCode.PageUp,
            [Key.PageDown] = KeyCode.PageDown, [Key.F5] = KeyCode.F5,
        };

        readonly CancellationTokenSource stop = new();
        readonly TaskCompletionSource<StandInApplication> created = new(TaskCreationOptions.RunContinuationsAsynchronously);
        readonly (int Width, int Height) size;
        readonly Task<string> end;
        bool sized;

        public Run((int Width, int Height) size, FrontEndOptions options)
        {
            this.size = size;
            end = Task.Factory.StartNew(
                () => RunToEnd(options), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        }

        public async Task PressAsync(KeyPress key) => (await created.Task).Press(Gui(key));

        public async Task ResizeAsync(int width, int height)
        {
            var host = await created.Task;
            host.Invoke(() => host.Screen.SetScreenSize(width, height));
        }

        public async Task<CellGrid> ScreenAsync()
        {
            var host = await created.Task;
            if (!sized)
            {
                sized = true;
                await ResizeAsync(size.Width, size.Height);
            }

            var seen = new TaskCompletionSource<CellGrid>(TaskCreationOptions.RunContinuationsAsynchronously);
            host.Invoke(() => seen.SetResult(Grid(host.Screen)));
            return await Task.WhenAny(seen.Task, end) == seen.Task ? await seen.Task : new CellGrid(0, 0);
        }

        public async Task<string> ClipsAsync() =>
            (await created.Task).Screen.Raw is { Length: > 0 } raw && raw.Split(';') is [_, _, var text]
                ? Encoding.UTF8.GetString(Convert.FromBase64String(text.TrimEnd('\a'))) : "";

        public Task StopAsync() => stop.CancelAsync();

        public Task<string> EndAsync() => end;

        public async ValueTask DisposeAsync()
        {
            await stop.CancelAsync();
            await end;
            stop.Dispose();
        }

        string RunToEnd(FrontEndOptions options)
        {
            Application.OnCreate(created.SetResult);
            try
            {
                return new TerminalGuiFrontEnd().Run(new ContractApp(), options, stop.Token).ToString(CultureInfo.InvariantCulture);
            }
            catch (InvalidOperationException e)
            {
                return e.Message;
            }
        }

        static GuiKey Gui(KeyPress key) => new(
            Codes.TryGetValue(key.Key, out var code) ? code
            : key.Ctrl ? KeyCode.CtrlMask | (KeyCode)char.ToUpperInvariant((char)key.Char.Value)
            : char.IsAsciiLetterUpper((char)key.Char.Value) ? KeyCode.ShiftMask | (KeyCode)key.Char.Value
            : (KeyCode)char.ToUpperInvariant((char)key.Char.Value) is var letter and >= KeyCode.A and <= KeyCode.Z ? letter
            : (KeyCode)key.Char.Value);

        // The library's looks as ours: only the ones of the contract.
        static CellGrid Grid(StandInDriver screen)
        {
            var grid = new CellGrid(screen.Width, screen.Height);
            for (var i = 0; i < screen.Width * screen.Height; i++)
            {
                var (rune, look) = screen[i % screen.Width, i / screen.Width];
                var ink = look.Foreground.A == 0 ? Colour.Own : look.Foreground.R << 16 | look.Foreground.G << 8 | look.Foreground.B;
                grid[i % screen.Width, i / screen.Width] = rune == default
                    ? Cell.Blank
                    : new Cell(rune, ink, Colour.Own, look.Style.HasFlag(TextStyle.Bold) ? Attr.Bold : Attr.None);
            }

            return grid;
        }
    }
}
