using System.ComponentModel;
using System.Diagnostics;
using System.Text.Json;
using Tpwatch.Reports;

namespace Tpwatch.Inside;

/// <summary>What came of a reading: what was read, or one sentence that says why nothing was.</summary>
sealed record InsideOutcome(InsideReading? Reading, string? Failure);

/// <summary>
/// Has a child process read the memory of a target, so that whatever happens to the native code that it loads costs the answer and nothing
/// else.
/// </summary>
sealed class InsideChild(ProgramStart program, TimeProvider time)
{
    /// <summary>Name of the hidden verb of the child.</summary>
    public const string Verb = "read-inside";

    /// <summary>Searches the heap as well.</summary>
    public const string Scan = "--scan";

    /// <summary>Before a file: reads that dump instead of a process.</summary>
    public const string Dump = "--dump";

    /// <summary>Of 0.2 to 0.8 s that a reading takes, on a machine with no time to spare.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);

    /// <summary>A dump of many gigabytes on a slow disk.</summary>
    static readonly TimeSpan DumpLimit = TimeSpan.FromMinutes(2);

    /// <summary>The first exit code of a program that a signal has ended.</summary>
    const int FirstOfSignals = 128;

    /// <summary>A child whose native code crashed is tried again once.</summary>
    const int Tries = 2;

    /// <summary>
    /// Takes one reading. Bounded in time; throws nothing but <see cref="OperationCanceledException"/> when <paramref name="cancel"/>
    /// says so.
    /// </summary>
    /// <param name="pid">The target's process id.</param>
    /// <param name="scan">Whether the heap is searched for who completes a promise, which takes longer.</param>
    /// <param name="cancel">Ends the child at once.</param>
    public Task<InsideOutcome> TakeAsync(int pid, bool scan, CancellationToken cancel) => TakeAsync(
        [pid.ToString(CultureInfo.InvariantCulture), .. scan ? new[] { Scan } : []], Limit, "the process's memory", cancel);

    /// <summary>Reads a core dump; otherwise as of a process.</summary>
    /// <param name="file">A dump of a process of .NET, whose runtime is on this machine.</param>
    /// <param name="cancel">Ends the child at once.</param>
    public Task<InsideOutcome> ReadDumpAsync(string file, CancellationToken cancel) =>
        TakeAsync([Dump, file], DumpLimit, "the dump", cancel);

    async Task<InsideOutcome> TakeAsync(string[] words, TimeSpan most, string what, CancellationToken cancel)
    {
        InsideOutcome Failed(string why) => new(null, $"tpwatch could not read {what}: {why.TrimEnd('.')}.");
        using var limit = new CancellationTokenSource(most, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        try
        {
            for (var i = 1; ; i++)
            {
                var (reading, refusal) = await OnceAsync(words, either.Token).ConfigureAwait(false);
                if (reading is not null || refusal is not null)
                {
                    return reading is not null ? new(reading, null) : Failed(refusal!);
                }

                if (i == Tries)
                {
                    return Failed("the process that reads it ended without an answer");
                }
            }
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            return Failed(FormattableString.Invariant($"the process that reads it did not answer within {most.TotalSeconds:0} s"));
        }
        catch (Exception e) when (e is Win32Exception or IOException or JsonException)
        {
            return Failed(e is JsonException ? "the process that reads it gave no answer that can be read" : e.Message);
        }
    }

    // Neither where the child died without a word.
    async Task<(InsideReading? Reading, string? Refusal)> OnceAsync(string[] words, CancellationToken cancel)
    {
        var start = new ProcessStartInfo(program.File, [.. program.Words, Verb, .. words])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
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
            return child.ExitCode == 0 ? (JsonSerializer.Deserialize(output, InsideJson.Default.InsideReading), null)
                : (null, said.Length > 0 && child.ExitCode < FirstOfSignals ? said.Split('\n')[0] : null);
        }
        finally
        {
            if (!child.HasExited)
            {
                child.Kill();
            }
        }
    }
}
