using System.Runtime.InteropServices;

namespace Tpwatch.Benchmarks;

/// <summary>Processor time of another process by its kernel clock: in nanoseconds, where /proc counts hundredths of a second.</summary>
static class CpuClock
{
    // The kernel's encoding of "scheduler clock of process n" (CPUCLOCK_SCHED), which is what clock_getcpuclockid gives.
    const int Scheduler = 2;

    /// <summary>User and kernel time since the process began, milliseconds.</summary>
    public static double Ms(int pid) =>
        ClockGetTime((~pid << 3) | Scheduler, out var time) == 0
            ? time.Seconds * 1000.0 + time.Nanoseconds / 1e6
            : throw new InvalidOperationException($"process {pid} has no clock");

    [DllImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int ClockGetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
