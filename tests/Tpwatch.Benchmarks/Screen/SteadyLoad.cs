using System.Globalization;
using Tpwatch.Basics;
using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>What a screen costs while nobody presses a key: bytes, frames, processor time, memory.</summary>
sealed record SteadyLoad(double BytesPerSecond, int Frames, int WorstFrame, double ProcessorShare, long ResidentKb)
{
    /// <summary>
    /// At first the runtime compiles what is used, twice: on an idle target it has mostly done after 40 s; a watch lasts longer.
    /// </summary>
    static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(60);

    public static async Task<SteadyLoad> MeasureAsync(OwnTerminal terminal, TimeSpan length)
    {
        await Task.Delay(WarmUp);
        terminal.Forget();
        var (bytes, cpu, start) = (terminal.Bytes, CpuClock.Ms(terminal.Pid), TimeProvider.System.GetTimestamp());
        await Task.Delay(length);
        var elapsed = TimeProvider.System.GetElapsedTime(start);
        var frames = FrameBytes.Of(terminal.Text);
        return new(
            (terminal.Bytes - bytes) / elapsed.TotalSeconds, frames.Count, frames.Count == 0 ? 0 : frames.Max(),
            (CpuClock.Ms(terminal.Pid) - cpu) / elapsed.TotalMilliseconds, terminal.StatusKb("VmRSS"));
    }

    public static string Percent(double share) => (share * 100).ToString("0.0", CultureInfo.InvariantCulture) + " %";

    public static string Bytes(double bytes) => Format.Count((long)bytes) + " bytes";

    public static string Megabytes(double kilobytes) => (kilobytes / 1024).ToString("0", CultureInfo.InvariantCulture) + " MB";
}
