using System.Collections.Immutable;
using Tpwatch.Reports;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Benchmarks.Pictures;

/// <summary>
/// The picker of a made-up machine: two processes with reports of recordings, one that is still checked, one that cannot be watched.
/// </summary>
static class PickerPicture
{
    const int Height = 16;
    const int Starved = 41822;
    const int Healthy = 40011;

    static readonly ImmutableArray<ProcessRow> Rows =
    [
        new(39950, "Nightly", "8.0.22", "batch", "/usr/bin/dotnet /srv/Nightly.dll",
            "Process 39950 (Nightly) runs as user batch, but tpwatch runs as shop. Only user batch or root can attach.")
        {
            Hint = "Run tpwatch as batch (sudo -u batch ...) or as root.", Threads = 9, ProcessorMs = 1_000, AgeMs = 18_000_000,
        },
        new(Healthy, "Invoices", "10.0.12", "shop", "/usr/bin/dotnet /srv/Invoices.dll")
        {
            Threads = 19, ProcessorMs = 8_010, AgeMs = 10_800_000,
        },
        new(41790, "Mailer", "9.0.11", "shop", "/usr/bin/dotnet /srv/Mailer.dll") { Threads = 14, ProcessorMs = 500, AgeMs = 3_700_000 },
        new(Starved, "OrderApi", "10.0.12", "shop", "/usr/bin/dotnet /srv/OrderApi.dll")
        {
            Threads = 42, ProcessorMs = 9_060, AgeMs = 161_000,
        },
    ];

    /// <summary>The picker with the starved process under the cursor.</summary>
    public static CellGrid Of(PoolReport starved, PoolReport healthy)
    {
        var look = new Look(Theme.Dark, GlyphSet.Braille);
        PickerWindow? window = null;
        var never = new TaskCompletionSource<PickerCheck>();
        var links = new PickerCalls(() => Task.FromResult<IReadOnlyList<ProcessRow>>(Rows), row => row.Pid switch
        {
            Starved => Task.FromResult(new PickerCheck(starved, null)),
            Healthy => Task.FromResult(new PickerCheck(healthy, null)),
            _ => never.Task,
        });
        using var screen = HeadlessScreen.Of(
            () => ((window = new(links, look, TimeProvider.System)), window.Tick), look, DrivenScreen.Width, Height);
        screen.Tick();
        screen.Tick();
        screen.Press("down");
        screen.Press("down");
        return screen.Shown;
    }
}
