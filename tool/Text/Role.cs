namespace Tpwatch.Text;

/// <summary>The meaning of a cell, which the theme styles. Letter or shape shows the meaning too, so colour is never needed.</summary>
enum Role
{
    Text,
    Faint,
    Title,
    Starvation,
    Blocking,
    Climbing,
    Housekeeping,
    Threads,
    TargetThreads,
    Min,
    Queue,
    Cpu,
    Done,
    AsExpected,
    Alarm,
    Lost,
    Selection,
    KeyName,
}
