using Tpwatch.Watch;

namespace Tpwatch.Options;

/// <summary>
/// Tells once that a target has gone silent, again when it turns out to be stopped or every half a minute, and once that it is back.
/// </summary>
sealed class SilenceNotes(CommandContext context)
{
    static readonly TimeSpan Again = TimeSpan.FromSeconds(30);

    TargetSilence? told;

    /// <summary>Looks, and tells what is new.</summary>
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
