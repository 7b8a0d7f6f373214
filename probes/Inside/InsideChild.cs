using System.ComponentModel;
using System.Diagnostics;
using System.Text.Json;
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

    /// <summary>Searches the heap as well.</summary>
    public const string Scan = "--scan";

    /// <summary>Of 0.2 to 0.8 s that a reading takes, on a machine with no time to spare.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);

    /// <summary>A child whose native code crashed is tried again once.</summary>
    const int Tries = 2;

    /// <summary>
    /// Takes one reading. Bounded in time; throws nothing but <see cref="OperationCanceledException"/> when <paramref name="cancel"/>
    /// says so.
    /// </summary>
    /// <param name="pid">The target's process id.</param>
    /// <param name="scan">Whether the heap is searched for who completes a promise, which takes longer.</param>
    /// <param name="cancel">Ends the child at once.</param>
    public async Task<InsideOutcome> TakeAsync(int pid, bool scan, CancellationToken cancel)
    {
        using var limit = new CancellationTokenSource(Limit, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        try
        {
            for (var i = 1; ; i++)
            {
                if (await OnceAsync(pid, scan, either.Token).ConfigureAwait(false) is { } outcome)
                {
                    return outcome;
                }

                if (i == Tries)
                {
                    return Failed("the process that reads it ended without an answer");
                }
            }
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            return Failed(FormattableString.Invariant($"the process that reads it did not answer within {Limit.TotalSeconds:0} s"));
        }
        catch (Exception e) when (e is Win32Exception or IOException or JsonException)
        {
            return Failed(e is JsonException ? "the process that reads it gave no answer that can be read" : e.Message);
        }
    }

    // Null where the child died without a word.
    async Task<InsideOutcome?> OnceAsync(int pid, bool scan, CancellationToken cancel)
    {
        string[] words = [.. program.Words, Verb, pid.ToString(CultureInfo.InvariantCulture), .. scan ? new[] { Scan } : []];
        var start = new ProcessStartInfo(program.File, words) { RedirectStandardOutput = true, RedirectStandardError = true };
        // A crash of the foreign library leaves neither a dump nor a diagnostic port behind.
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        using var child = Process.Start(start)!;
        try
        {
            var error = child.StandardError.ReadToEndAsync(cancel);
            var output = await child.StandardOutput.ReadToEndAsync(cancel).ConfigureAwait(false);
            var said = (await error.ConfigureAwait(false)).Trim();
            await child.WaitForExitAsync(cancel).ConfigureAwait(false);
            return child.ExitCode == 0 ? new(JsonSerializer.Deserialize(output, InsideJson.Default.InsideReading), null)
                : child.ExitCode == 1 && said.Length > 0 ? Failed(said.Split('\n')[0]) : null;
        }
        finally
        {
            if (!child.HasExited)
            {
                child.Kill();
            }
        }
    }

    static InsideOutcome Failed(string why) => new(null, $"tpwatch could not read the process's memory: {why.TrimEnd('.')}.");
}
