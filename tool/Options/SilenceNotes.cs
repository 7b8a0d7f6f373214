using Tpwatch.Watch;

namespace Tpwatch.Options;

/// <summary>
/// Notes that a target sends no data: once, again when the target is found stopped and every 30 s, and once when data arrives again.
/// </summary>
sealed class SilenceNotes(CommandContext context)
{
    static readonly TimeSpan Again = TimeSpan.FromSeconds(30);

    TargetSilence? told;

    /// <summary>Writes a note if the state has changed.</summary>
    public void Look(TargetSilence? silence)
    {
        if (silence is null)
        {
            if (told is not null)
            {
                context.Note($"the process sends data again, after {Format.Duration(told.For.TotalMilliseconds)} or more");
            }

            told = null;
        }
        else if (told is null || told.Stopped != silence.Stopped || silence.For - told.For >= Again)
        {
            told = silence;
            context.Note(silence.ToString());
        }
    }
}
