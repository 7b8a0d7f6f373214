using Tpwatch.Reports;

namespace Tpwatch.Inside;

/// <summary>What came of a reading: what was read, or one sentence that says why nothing was.</summary>
sealed record InsideOutcome(InsideReading? Reading, string? Failure);

/// <summary>How this program starts itself as the process that reads: the file, and the words before the verb.</summary>
sealed record InsideProgram(string File, ImmutableArray<string> Words);

/// <summary>
/// Has a child process read the memory of a target, so that whatever happens to the native code that it loads costs the answer and nothing
/// else.
/// </summary>
sealed class InsideChild(InsideProgram program, TimeProvider time)
{
    /// <summary>Name of the hidden verb of the child.</summary>
    public const string Verb = "read-inside";

    /// <summary>
    /// Takes one reading. Bounded in time; throws nothing but <see cref="OperationCanceledException"/> when <paramref name="cancel"/> says so.
    /// </summary>
    /// <param name="pid">The target's process id.</param>
    /// <param name="scan">Whether the heap is searched for who completes a promise, which takes longer.</param>
    /// <param name="cancel">Ends the child at once.</param>
    public async Task<InsideOutcome> TakeAsync(int pid, bool scan, CancellationToken cancel)
    {
        await Task.Delay(TimeSpan.Zero, time, cancel).ConfigureAwait(false);
        return new(null, $"{program.File} {pid} {scan}");
    }
}
