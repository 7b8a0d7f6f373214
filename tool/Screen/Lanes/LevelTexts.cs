using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Screen.Lanes;

/// <summary>The newest values as words; what is not known is a question mark. Padded, so that neighbours keep their place.</summary>
static class LevelTexts
{
    const string Unknown = "?";

    public static IEnumerable<string> Long(PoolLevels levels) =>
    [
        $"thr {Count(levels.Workers)} goal {Count(levels.Goal)}".PadRight(15),
        $"queue {Count(levels.Backlog)}".PadRight(11),
        $"cpu {Cpu(levels)}".PadRight(8),
        $"done {Done(levels)}".PadRight(12),
    ];

    public static IEnumerable<string> Short(PoolLevels levels) =>
    [
        $"thr {Count(levels.Workers)}/{Count(levels.Goal)}".PadRight(9),
        $"q {Count(levels.Backlog)}".PadRight(5),
        $"cpu {Cpu(levels)}".PadRight(7),
        $"done {Done(levels)}".PadRight(10),
    ];

    public static string Count(long? value) => value is { } known ? Format.Brief(known) : Unknown;

    public static string Cpu(PoolLevels levels) => levels.Cpu is { } share ? Format.Percent(share) : Unknown;

    public static string Done(PoolLevels levels) => levels.CompletedPerSecond is { } rate ? Format.Brief(rate) + "/s" : Unknown;
}
