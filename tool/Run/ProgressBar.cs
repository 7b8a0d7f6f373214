using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>
/// Shows how much of a recording has been read, on one line of standard error; only on a terminal, and only if reading takes long.
/// </summary>
sealed class ProgressBar(CommandContext context)
{
    /// <summary>Minimum reading time before a bar appears.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(500);

    /// <summary>Minimum time between two redraws; a bar that moves more often is harder to read.</summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(100);

    const int Cells = 30;

    readonly long begun = context.Time.GetTimestamp();
    long drawn;
    int length;

    /// <summary>Draws the progress if enough time has passed.</summary>
    /// <param name="share">Share of the recording that has been read, from 0 to 1; null if unknown.</param>
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

    /// <summary>Clears the line of the bar for the next output.</summary>
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
            // Standard error is closed; the reading continues.
        }
    }
}
