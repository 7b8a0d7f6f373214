using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Picker;

/// <summary>Lets somebody choose a process. Scans run beside it; what they find is taken over at the next tick.</summary>
/// <param name="find">Looks through the processes of the machine.</param>
/// <param name="look">Colours and glyphs.</param>
/// <param name="time">Paces the second scan.</param>
sealed class PickerApp(Func<Task<IReadOnlyList<ProcessRow>>> find, Look look, TimeProvider time) : IUiApp
{
    /// <summary>The second scan comes by itself: what a process computes shows between two of them only.</summary>
    static readonly TimeSpan SecondScan = TimeSpan.FromSeconds(1);

    PickerState state = new();
    Task? scan;
    volatile Found? found;
    long scanned;
    bool scannedTwice;

    /// <summary>The process that was chosen; null when nobody chose.</summary>
    public ProcessRow? Chosen { get; private set; }

    public bool Tick()
    {
        var before = state;
        TakeFound();
        if (scan is null || !scannedTwice && state.Rows is not null && time.GetElapsedTime(scanned) >= SecondScan)
        {
            scannedTwice = scan is not null;
            Scan();
        }

        return state != before;
    }

    public CellGrid Render(int width, int height) => PickerView.Of(state, look, width, height);

    public Reply OnKey(KeyPress key)
    {
        var before = state;
        (state, var action) = PickerKeys.Next(state, key);
        switch (action)
        {
            case PickerAction.Quit:
                return Reply.Quit;
            case PickerAction.Attach:
                Chosen = state.Shown.FirstOrDefault(r => r.Pid == state.Pid);
                return Reply.Quit;
            case PickerAction.Scan:
                Scan();
                return Reply.Redraw;
            default:
                return state != before ? Reply.Handled : Reply.Ignored;
        }
    }

    void Scan()
    {
        if (scan is null or { IsCompleted: true })
        {
            TakeFound();
            state = state with { Scanning = true };
            scan = ScanAsync();
        }
    }

    async Task ScanAsync()
    {
        try
        {
            found = new([.. (await Task.Run(find)).OrderBy(r => r.Pid)], null);
        }
        catch (ForeseenException e)
        {
            found = new([], $"{e.Message} {e.Hint}");
        }
    }

    void TakeFound()
    {
        if (found is not { } news)
        {
            return;
        }

        found = null;
        scanned = time.GetTimestamp();
        state = state with { Rows = news.Rows, Before = state.Rows ?? [], Failure = news.Failure, Scanning = false };
    }

    sealed record Found(ImmutableArray<ProcessRow> Rows, string? Failure);
}
