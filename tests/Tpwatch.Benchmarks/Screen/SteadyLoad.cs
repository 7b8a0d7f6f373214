using System.Globalization;
using Tpwatch.Core;
using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>What a screen costs while nobody presses a key: bytes, processor time, memory.</summary>
sealed record SteadyLoad(double BytesPerSecond, double ProcessorShare, IReadOnlyList<long> ResidentKb)
{
    /// <summary>
    /// At first the runtime compiles what is used, twice: on an idle target it has mostly done after 40 s; a watch lasts longer.
    /// </summary>
    static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(60);

    static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    public long PeakKb => ResidentKb.Max();

    /// <summary>Median of the last quarter over that of the second: what still grows is a leak.</summary>
    public long GrowthKb => Median(Quarter(3)) - Median(Quarter(1));

    public static async Task<SteadyLoad> MeasureAsync(OwnTerminal terminal, TimeSpan length)
    {
        await Task.Delay(WarmUp);
        var (bytes, cpu, start) = (terminal.Bytes, CpuClock.Ms(terminal.Pid), TimeProvider.System.GetTimestamp());
        List<long> resident = [terminal.StatusKb("VmRSS")];
        while (TimeProvider.System.GetElapsedTime(start) < length)
        {
            await Task.Delay(Look);
            terminal.Forget();
            resident.Add(terminal.StatusKb("VmRSS"));
        }

        var elapsed = TimeProvider.System.GetElapsedTime(start);
        return new(
            (terminal.Bytes - bytes) / elapsed.TotalSeconds, (CpuClock.Ms(terminal.Pid) - cpu) / elapsed.TotalMilliseconds, resident);
    }

    public static string Percent(double share) => (share * 100).ToString("0.0", CultureInfo.InvariantCulture) + " %";

    public static string Bytes(double bytes) => Format.Count((long)bytes) + " bytes";

    public static string Megabytes(double kilobytes) => (kilobytes / 1024).ToString("0.0", CultureInfo.InvariantCulture) + " MB";

    IReadOnlyList<long> Quarter(int number) => [.. ResidentKb.Skip(ResidentKb.Count * number / 4).Take(Math.Max(1, ResidentKb.Count / 4))];

    static long Median(IReadOnlyList<long> values) => values.Order().ElementAt(values.Count / 2);
}
