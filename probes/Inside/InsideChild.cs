using System.ComponentModel;
using System.Diagnostics;
using System.Text.Json;
using Tpwatch.Reports;

namespace Tpwatch.Inside;

/// <summary>The result of a memory reading: the reading, or one sentence that says why there is none.</summary>
sealed record InsideOutcome(InsideReading? Reading, string? Failure);

/// <summary>
/// Runs a child process that reads the target's memory, so that a failure of the native library that the child loads costs only the result.
/// </summary>
sealed class InsideChild(ProgramStart program, TimeProvider time)
{
    /// <summary>Name of the child's hidden verb.</summary>
    public const string Verb = "read-inside";

    /// <summary>Option that also searches the heap.</summary>
    public const string Scan = "--scan";

    /// <summary>Option before a file name: reads that dump instead of a process.</summary>
    public const string Dump = "--dump";

    /// <summary>Time limit of a reading; on an overloaded machine, a reading takes far longer than the usual 0.2 to 0.8 s.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);

    /// <summary>Time limit for a dump, which may be many gigabytes on a slow disk.</summary>
    static readonly TimeSpan DumpLimit = TimeSpan.FromMinutes(2);

    /// <summary>The lowest exit code of a process that a signal ended.</summary>
    const int FirstOfSignals = 128;

    /// <summary>Number of attempts: a child whose native code crashed is started once more.</summary>
    const int Tries = 2;

    /// <summary>
    /// Takes one reading, within 5 s. Throws only <see cref="OperationCanceledException"/>, when <paramref name="cancel"/> is cancelled.
    /// </summary>
    /// <param name="pid">The target's process id.</param>
    /// <param name="scan">Whether to search the heap for the code that completes a promise, which takes longer.</param>
    /// <param name="cancel">Kills the child at once.</param>
    public Task<InsideOutcome> TakeAsync(int pid, bool scan, CancellationToken cancel) => TakeAsync(
        [pid.ToString(CultureInfo.InvariantCulture), .. scan ? new[] { Scan } : []], Limit, "the process's memory", cancel);

    /// <summary>Reads a core dump within 2 min; otherwise like a reading of a process.</summary>
    /// <param name="file">A dump of a .NET process whose runtime is on this machine.</param>
    /// <param name="cancel">Kills the child at once.</param>
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

    // Both results are null if the child ended without output.
    async Task<(InsideReading? Reading, string? Refusal)> OnceAsync(string[] words, CancellationToken cancel)
    {
        var start = new ProcessStartInfo(program.File, [.. program.Words, Verb, .. words])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        // A crash of the native library must leave neither a dump nor a diagnostic port behind.
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
