using System.Collections.Immutable;
using Tpwatch.Screen;
using Tpwatch.Text;

namespace Tpwatch.Tests.Screen.Picker;

/// <summary>The processes of a made-up machine, scanned twice.</summary>
static class SomeProcesses
{
    public static ImmutableArray<ProcessRow> Rows { get; } =
    [
        new(39950, "Nightly", "8.0.11", "batch", "/usr/bin/dotnet /srv/Nightly.dll --password secret",
            "Process 39950 (Nightly) runs as user batch, but tpwatch runs as shop. Only user batch or root can attach.")
        {
            Hint = "Run tpwatch as batch (sudo -u batch ...) or as root.", Threads = 9, ProcessorMs = 1_000, AgeMs = 5 * 3_600_000,
        },
        new(40011, "dotnet-watch", "10.0.1", "shop", "/usr/bin/dotnet watch run")
        {
            Threads = 19,
            ProcessorMs = 8_010,
            AgeMs = 3 * 3_600_000,
        },
        new(41790, "Worker", "8.0.11", "shop", "/usr/bin/dotnet /srv/Worker.dll") { Threads = 14, ProcessorMs = 500, AgeMs = 3_700_000 },
        new(41822, "OrderApi", "10.0.1", "shop", "/usr/bin/dotnet /srv/OrderApi.dll --urls http://*:80")
        {
            Threads = 22,
            ProcessorMs = 9_060,
            AgeMs = 161_000,
        },
    ];

    /// <summary>The second scan came a second after the first.</summary>
    public static PickerState Scanned { get; } = new()
    {
        Rows = Rows,
        Before = [.. Rows.Select(r => r with
        {
            AgeMs = r.AgeMs - 1000,
            ProcessorMs = r.Pid == 41822 ? r.ProcessorMs - 60 : r.ProcessorMs - (r.Pid == 40011 ? 10 : 0),
        })],
    };
}
