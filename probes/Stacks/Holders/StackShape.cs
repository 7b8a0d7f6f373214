using System.Collections.Immutable;
using Tpwatch.Reports;

namespace Tpwatch.Stacks.Holders;

/// <summary>What a stack says: whether it is a worker's, where the user's own code is in it, and what it waits for.</summary>
sealed class StackShape
{
    readonly ImmutableArray<FrameName> frames;
    readonly bool running;
    readonly int user;
    readonly int place;

    StackShape(SampledStack stack)
    {
        frames = [.. stack.Frames.Select(FrameName.Of)];
        running = stack.Running;
        user = First(f => !f.IsRuntime);
        var dispatch = Last(f => f is { IsRuntime: true, Type: "ThreadPoolWorkQueue", Method: "Dispatch" });
        IsWorker = Last(f => f is { IsRuntime: true, Method: "WorkerThreadStart" }) >= 0;

        // Between two items a worker looks for the next one; then nothing holds it.
        IsAtWork = IsWorker && dispatch > 0
            && (user >= 0 || !frames[dispatch - 1].Type.StartsWith("ThreadPoolWorkQueue", StringComparison.Ordinal));
        place = user >= 0 ? user : dispatch > 0 ? dispatch - 1 : frames.Length - 1;
        Kind = KindOf();
    }

    /// <summary>Whether it is a worker of the pool.</summary>
    public bool IsWorker { get; }

    /// <summary>Whether it is a worker that runs an item.</summary>
    public bool IsAtWork { get; }

    /// <summary>Whether some code of the user's is on it.</summary>
    public bool HasUserCode => user >= 0;

    /// <summary>What it does.</summary>
    public BlockKind Kind { get; }

    /// <summary>
    /// The frame that stands for the whole: the first of the user's own below the wait, of the runtime's where there is none.
    /// </summary>
    public string Frame => place < 0 ? "?" : frames[place].Full;

    /// <summary>The call in it that blocks; null when it computes, or waits in the code itself.</summary>
    public string? Call => Kind == BlockKind.Cpu || user <= 0 ? null : frames[user - 1].Short;

    /// <summary>The frames in words, innermost first.</summary>
    public ImmutableArray<string> Frames => [.. frames.Select(f => f.Full)];

    public static StackShape Of(SampledStack stack) => new(stack);

    // What it is inside of counts, whatever lies inside that again: a socket's own wait is the socket's.
    BlockKind KindOf()
    {
        var inner = frames.Take(Math.Max(0, place)).Where(f => f.IsRuntime).ToArray();
        return inner.Any(WaitFrames.IsForTask) ? BlockKind.Task
            : inner.Any(WaitFrames.IsForLock) ? BlockKind.Lock
            : inner.Any(WaitFrames.IsSleep) ? BlockKind.Sleep
            : !running && inner.Any(WaitFrames.IsIo) ? BlockKind.Io
            : inner.Any(WaitFrames.IsForHandle) ? BlockKind.Wait
            : running ? BlockKind.Cpu : BlockKind.Native;
    }

    int First(Func<FrameName, bool> wanted)
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

    int Last(Func<FrameName, bool> wanted)
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
