namespace Tpwatch.Text;

/// <summary>What a cell means; the theme says how that looks. Meaning is carried by letter or shape first, the look repeats it.</summary>
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
    Goal,
    Min,
    Queue,
    Cpu,
    Done,
    Fits,
    Alarm,
    Lost,
    Selection,
    KeyName,
}
