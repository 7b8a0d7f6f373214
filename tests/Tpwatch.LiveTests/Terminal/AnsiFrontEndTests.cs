using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.FrontEnds;
using Tpwatch.Screen.FrontEnds.Ansi;
using Tpwatch.Screen.Keys;
using Tpwatch.Tests.Screen.FrontEnds;
using Tpwatch.Watching;
using Decoder = Tpwatch.Tests.Screen.FrontEnds.Ansi.Decoder;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>The contract on the default front end, in a terminal of our own.</summary>
public sealed partial class AnsiFrontEndTests : FrontEndContract
{
    /// <summary>What this same program does when it is asked for the contract's app.</summary>
    public static int RunApp()
    {
        using var signals = new StopSignals(Environment.Exit);
        return new ScreenFrontEnd().Run(new ContractApp(), new FrontEndOptions(), signals.Stop);
    }

    internal override Task<IFrontEndRun> StartAsync(int width, int height) => Task.FromResult<IFrontEndRun>(new Run(width, height));

    sealed partial class Run(int width, int height) : IFrontEndRun
    {
        static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(15);

        static readonly Dictionary<Key, string> Sequences = new()
        {
            [Key.Enter] = "\r", [Key.Escape] = "\e", [Key.Tab] = "\t", [Key.Backspace] = "\x7f",
            [Key.Up] = "\eOA", [Key.Down] = "\eOB", [Key.Right] = "\eOC",
            [Key.Left] = "\eOD", [Key.PageUp] = "\e[5~", [Key.PageDown] = "\e[6~", [Key.F5] = "\e[15~",
        };

        readonly OwnTerminal terminal = OwnTerminal.Start(
            (width, height), ["dotnet", "exec", Path.Combine(AppContext.BaseDirectory, "Tpwatch.LiveTests.dll"), "contract"]);

        (int Width, int Height) size = (width, height);

        public Task PressAsync(KeyPress key) => terminal.TypeAsync(
            Sequences.TryGetValue(key.Key, out var sequence)
                ? sequence
                : key.Ctrl ? ((char)(key.Char.Value - 'a' + 1)).ToString()
                : key.Char.ToString());

        public Task ResizeAsync(int width, int height)
        {
            size = (width, height);
            terminal.Resize(width, height);
            return Task.CompletedTask;
        }

        // From the last whole frame on; frames of the size before may be larger than the screen is now.
        public Task<CellGrid> ScreenAsync()
        {
            var text = NotDrawing.Replace(terminal.Text, "");
            var (from, to) = (text.LastIndexOf("\e[2J", StringComparison.Ordinal), text.LastIndexOf("\e[?2026l", StringComparison.Ordinal));
            var decoder = new Decoder(new CellGrid(250, 80));
            decoder.Feed(from >= 0 && to > from ? text[from..to] : "");
            var grid = new CellGrid(size.Width, size.Height);
            for (var i = 0; i < size.Width * size.Height; i++)
            {
                grid[i % size.Width, i / size.Width] = decoder.Grid[i % size.Width, i / size.Width];
            }

            return Task.FromResult(grid);
        }

        public Task<string> ClipsAsync() => Task.FromResult(string.Concat(
            Clip.Matches(terminal.Text).Select(m => Encoding.UTF8.GetString(Convert.FromBase64String(m.Groups[1].Value)))));

        public Task StopAsync() => Signal.SendAsync("TERM", terminal.Pid, TestContext.Current.CancellationToken);

        public async Task<string> EndAsync() => await terminal.ExitAsync(EndLimit) is not { } code ? "still there"
            : code == 0 ? "0" : string.Create(CultureInfo.InvariantCulture, $"{code}: {terminal.Text}");

        public ValueTask DisposeAsync() => terminal.DisposeAsync();

        [GeneratedRegex("\e\\[\\?(1049|25|7|1)[hl]|\e[=>]|\e\\]52;c;[^\a]*\a")]
        static partial Regex NotDrawing { get; }

        [GeneratedRegex("\e\\]52;c;([^\a]*)\a")]
        static partial Regex Clip { get; }
    }
}
