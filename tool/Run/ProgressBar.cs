using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>
/// How much of a recording has been read, on one line of a terminal's standard error; nothing for what takes no time, and nothing in a log.
/// </summary>
sealed class ProgressBar(CommandContext context)
{
    /// <summary>What is done sooner needs no bar.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(500);

    /// <summary>A bar that moves more often is only harder to read.</summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(100);

    const int Cells = 30;

    readonly long begun = context.Time.GetTimestamp();
    long drawn;
    int length;

    /// <summary>Draws how far it is, if it is time to.</summary>
    /// <param name="share">0 to 1; null where it is not known.</param>
    public void Look(double? share)
    {
        var now = context.Time.GetTimestamp();
        if (share is not { } done || !context.Terminal.IsErrorSeen || context.Time.GetElapsedTime(begun, now) < Patience
            || (drawn != 0 && context.Time.GetElapsedTime(drawn, now) < Pace))
        {
            return;
        }

        drawn = now;
        var full = (int)(Math.Clamp(done, 0, 1) * Cells);
        Write(string.Create(
            CultureInfo.InvariantCulture, $"reading [{new string('#', full)}{new string('.', Cells - full)}] {Math.Floor(done * 100):0}%"));
    }

    /// <summary>Leaves an empty line, for whatever is said next.</summary>
    public void End()
    {
        if (length > 0)
        {
            Write("");
        }
    }

    void Write(string text)
    {
        try
        {
            context.Error.Write("\r" + text.PadRight(length) + (text.Length == 0 ? "\r" : ""));
            context.Error.Flush();
            length = text.Length;
        }
        catch (IOException)
        {
            // Nobody looks any more; the reading goes on.
        }
    }
}
