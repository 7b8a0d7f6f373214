using Tpwatch.Watch;

namespace Tpwatch.Options;

/// <summary>
/// Writes notes about a target that sends no data: at first, every 30 s, when it is found stopped, and when data arrives again.
/// </summary>
sealed class SilenceNotes(CommandContext context)
{
    static readonly TimeSpan Again = TimeSpan.FromSeconds(30);

    TargetSilence? told;

    /// <summary>Writes a note if one is due; <paramref name="silence"/> is null while the target sends data.</summary>
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
