using Tpwatch.Core;
using Tpwatch.Lab.Pictures;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Tests.Screen.Picker;

public sealed class PickerWindowTests
{
    static readonly Look Dark = new(Theme.Dark, GlyphSet.Braille);
    static readonly Look Plain = new(Theme.Mono, GlyphSet.Ascii);

    int scans;

    /// <summary>What is typed, which processes are left, and the one under the cursor.</summary>
    [Theory]
    [InlineData("o r d e r", "OrderApi.dll", "Worker.dll")]
    [InlineData("W O R K", "Worker.dll", "OrderApi.dll")]
    [InlineData("4 1 8", "OrderApi.dll", "Worker.dll")]
    [InlineData("s h o p space 1 0", "OrderApi.dll", "Worker.dll")]
    [InlineData("o r d e r back back", "OrderApi.dll", "Worker.dll")]
    [InlineData("a q", "No process matches", "OrderApi.dll")]
    [InlineData("s e c r e t", "No process matches", "OrderApi.dll")]
    public void What_is_typed_filters(string keys, string shown, string hidden)
    {
        using var picker = new Picker(Rows);
        picker.Press(keys);
        Assert.Contains(shown, picker.Text, StringComparison.Ordinal);
        Assert.DoesNotContain(hidden, picker.Text, StringComparison.Ordinal);
        Assert.False(picker.Screen.HasQuit);
    }

    [Theory]
    [InlineData("enter", 40011)]
    [InlineData("down enter", 41790)]
    [InlineData("down down down down down enter", 41822)]
    [InlineData("o r d e r enter", 41822)]
    [InlineData("up enter", null)]
    [InlineData("x x x enter", null)]
    [InlineData("q", null)]
    [InlineData("o esc q", null)]
    [InlineData("o ctrl+c", null)]
    public void Enter_chooses_one_that_can_be_watched(string keys, int? pid)
    {
        using var picker = new Picker(Rows);
        picker.Press(keys);
        Assert.Equal(pid, picker.Window.Picked?.Pid);
        Assert.Equal(keys is not ("up enter" or "x x x enter"), picker.Screen.HasQuit);
    }

    [Fact]
    public void A_click_moves_the_cursor_a_double_click_chooses_and_a_heading_sorts()
    {
        using var picker = new Picker(Rows);
        var (x, y) = picker.Place("Worker.dll");
        picker.Screen.Click(x, y);
        Assert.Contains("> 41790", picker.Text.Replace("   ", " ", StringComparison.Ordinal), StringComparison.Ordinal);
        (x, y) = picker.Place("threads");
        picker.Screen.Click(x, y);
        Assert.True(picker.Place("OrderApi.dll").Y < picker.Place("Worker.dll").Y);
        picker.Screen.Click(x, y);
        Assert.True(picker.Place("OrderApi.dll").Y > picker.Place("Worker.dll").Y);
        picker.Screen.Click(picker.Place("OrderApi.dll").X, picker.Place("OrderApi.dll").Y, twice: true);
        Assert.Equal(41822, picker.Window.Picked?.Pid);
    }

    [Fact]
    public void A_second_scan_comes_by_itself_and_F5_makes_another()
    {
        using var picker = new Picker(() => Task.FromResult<IReadOnlyList<ProcessRow>>(
            [SomeProcesses.Rows[3] with { AgeMs = 10_000 + 1000 * ++scans, ProcessorMs = 50 * scans }]));
        picker.Until("5%");
        Assert.Equal(2, scans);
        picker.Press("F5");
        picker.Until("13 s");
        Assert.Equal(3, scans);
    }

    [Fact]
    public void A_scan_that_fails_says_why()
    {
        using var picker = new Picker(() => Task.FromException<IReadOnlyList<ProcessRow>>(new UserErrorException(
            "Processes can be listed on Linux only.", "Name it by its id.", ExitCode.Unsupported)));
        picker.Until("Processes can be listed on Linux only. Name it by its id.");
    }

    [Fact]
    public void The_verdict_of_each_process_is_filled_in()
    {
        var looks = new Dictionary<int, TaskCompletionSource<PickerCheck>>();
        using var picker = new Picker(Rows, row => (looks[row.Pid] = new()).Task);
        Assert.Equal([40011, 41790, 41822], looks.Keys.Order());
        Assert.Contains("checking", picker.Text, StringComparison.Ordinal);
        looks[41822].SetResult(new(Some.StarvingBurst(12), null));
        looks[41790].SetResult(new(null, "the process is stopped"));
        picker.Screen.Tick();
        var rows = picker.Text.Split('\n');
        Assert.Contains(rows, r => r.Contains("41822 STARVED", StringComparison.Ordinal));
        Assert.Contains(rows, r => r.Contains("41790 not known", StringComparison.Ordinal));
        Assert.Contains(rows, r => r.Contains("40011 checking", StringComparison.Ordinal));
    }

    [Fact]
    public void The_pictures_are_the_golden_ones()
    {
        Verify("picker", 100, 30, Dark, "");
        Verify("picker-refused", 80, 24, Dark, "up");
        Verify("picker-filtered", 80, 24, Plain, "s r v");
        Verify("picker-filtered", 60, 16, new(Theme.Sixteen, GlyphSet.Block), "o r d e r");
        using var nobody = new Picker(() => Task.FromResult<IReadOnlyList<ProcessRow>>([]), null, Dark, 80, 24);
        Golden.Verify("Tui/picker-nobody.80x24.txt", GridText.Of(nobody.Screen.Shown, Theme.Dark));
    }

    [Fact]
    public void No_secret_of_a_command_line_is_shown()
    {
        using var picker = new Picker(Rows, null, Dark, 200, 50);
        Assert.DoesNotContain("secret", picker.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_size_can_be_drawn_and_a_pasted_text_is_cut_off()
    {
        using var picker = new Picker(Rows);
        foreach (var (width, height) in ((int, int)[])[(1, 1), (3, 40), (40, 3), (60, 16), (250, 80), (0, 0), (100, 24)])
        {
            picker.Screen.Resize(width, height);
            Assert.Equal((width, height), (picker.Screen.Shown.Width, picker.Screen.Shown.Height));
        }

        picker.Press(string.Join(' ', Enumerable.Repeat("x", 200)));
        Assert.Equal(60, picker.Text.Split('\n')[1].Count(c => c == 'x'));
    }

    static Task<IReadOnlyList<ProcessRow>> Rows() => Task.FromResult<IReadOnlyList<ProcessRow>>(SomeProcesses.Rows);

    static void Verify(string name, int width, int height, Look look, string keys)
    {
        using var picker = new Picker(Rows, null, look, width, height);
        picker.Press(keys);
        Golden.Verify(FormattableString.Invariant($"Tui/{name}.{width}x{height}.{look.Theme.Name}.txt"),
            GridText.Of(picker.Screen.Shown, look.Theme));
    }

    /// <summary>A picker whose scans have ended once.</summary>
    sealed class Picker : IDisposable
    {
        public Picker(Func<Task<IReadOnlyList<ProcessRow>>> find, Func<ProcessRow, Task<PickerCheck>>? look = null)
            : this(find, look, Dark, 100, 24)
        {
        }

        public Picker(
            Func<Task<IReadOnlyList<ProcessRow>>> find, Func<ProcessRow, Task<PickerCheck>>? look, Look looks, int width, int height)
        {
            PickerWindow? window = null;
            Screen = HeadlessScreen.Of(
                () => ((window = new(new(find, look), looks, new SteppingTime())), window.Tick), looks, width, height);
            Window = window!;
            Screen.Tick();
        }

        public PickerWindow Window { get; }

        public HeadlessScreen Screen { get; }

        public string Text => Screen.Shown.ToString();

        public void Press(string keys)
        {
            foreach (var key in keys.Split(' ', StringSplitOptions.RemoveEmptyEntries).TakeWhile(_ => !Screen.HasQuit))
            {
                Screen.Press(key);
            }
        }

        public (int X, int Y) Place(string text)
        {
            var y = Enumerable.Range(0, Screen.Shown.Height).First(r => Screen.Shown.Row(r).Contains(text, StringComparison.Ordinal));
            return (Screen.Shown.Row(y).IndexOf(text, StringComparison.Ordinal), y);
        }

        // A second passes in ten looks.
        public void Until(string text)
        {
            for (var looks = 0; looks < 30 && !Text.Contains(text, StringComparison.Ordinal); looks++)
            {
                Screen.Tick();
            }

            Assert.Contains(text, Text, StringComparison.Ordinal);
        }

        public void Dispose() => Screen.Dispose();
    }

    /// <summary>A tenth of a second passes between two looks at the clock.</summary>
    sealed class SteppingTime : TimeProvider
    {
        long looks;

        public override long TimestampFrequency => 10;

        public override long GetTimestamp() => looks++;
    }
}
