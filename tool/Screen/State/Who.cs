using Tpwatch.Render.Shared;

namespace Tpwatch.Screen.State;

/// <summary>How a command names the process that is watched.</summary>
static class Who
{
    /// <summary>By its id; of a process of the past, whose id names nobody or somebody else, by its name.</summary>
    public static string Of(PoolReport report) => report.Timeline.Target is var target && target.IsElsewhere ? "--dport PORT"
        : !IsOfThePast(report) ? $"-p {Words.Pid(target)}"
        : IsOneWord(target.Name) ? $"-n {target.Name}"
        : "-p PID";

    static bool IsOfThePast(PoolReport report) => report.Timeline.Source == SessionSource.Recording
        || report.End is SessionEnd.TargetExited or SessionEnd.TargetKilled;

    static bool IsOneWord(string name) => name.Length > 0 && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-');
}
