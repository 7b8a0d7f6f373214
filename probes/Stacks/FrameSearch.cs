namespace Tpwatch.Stacks;

/// <summary>Looks for frames of a stack, which begins with the innermost.</summary>
static class FrameSearch
{
    /// <summary>The place of the innermost that is wanted; -1 where none is.</summary>
    public static int Innermost(this ImmutableArray<FrameName> frames, Func<FrameName, bool> wanted)
    {
        for (var i = 0; i < frames.Length; i++)
        {
            if (wanted(frames[i]))
            {
                return i;
            }
        }

        return -1;
    }

    /// <summary>The place of the outermost that is wanted; -1 where none is.</summary>
    public static int Outermost(this ImmutableArray<FrameName> frames, Func<FrameName, bool> wanted)
    {
        for (var i = frames.Length - 1; i >= 0; i--)
        {
            if (wanted(frames[i]))
            {
                return i;
            }
        }

        return -1;
    }
}
