using System.Runtime.InteropServices;

namespace Tpwatch.Sessions;

/// <summary>
/// The two Linux clocks that determine the gate thread's timing: the fine one, which stamps events, and the coarse one, by which the
/// runtime measures how long ago an item was dequeued. Both in nanoseconds since the same origin.
/// </summary>
static partial class CoarseClock
{
    const int Monotonic = 1;
    const int MonotonicCoarse = 6;

    /// <summary>The coarse clock's step in nanoseconds (4 ms at HZ=250), or 0 when the machine has no coarse clock.</summary>
    public static long StepNanoseconds() => clock_getres(MonotonicCoarse, out var step) == 0 ? step.Nanoseconds : 0;

    public static long Fine()
    {
        _ = clock_gettime(Monotonic, out var now);
        return now.Nanoseconds;
    }

    public static long Coarse()
    {
        _ = clock_gettime(MonotonicCoarse, out var now);
        return now.Nanoseconds;
    }

    // Each call takes tens of nanoseconds and never blocks, so a GC transition would cost more than the call.
    [LibraryImport("libc")]
    [SuppressGCTransition]
    private static partial int clock_gettime(int clock, out TimeSpec now);

    [LibraryImport("libc")]
    private static partial int clock_getres(int clock, out TimeSpec step);

    [StructLayout(LayoutKind.Sequential)]
    readonly struct TimeSpec
    {
        readonly nint seconds;
        readonly nint nanoseconds;

        public long Nanoseconds => ((long)seconds * 1_000_000_000) + nanoseconds;
    }
}
