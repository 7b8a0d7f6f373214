using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Tpwatch.Core;
using Tpwatch.Lab.Runs;

namespace Tpwatch.Lab;

/// <summary>What a benchmark needs of other processes: the output of some, the processor time and the status of others.</summary>
static class Processes
{
    // The kernel's encoding of "scheduler clock of process n" (CPUCLOCK_SCHED), which is what clock_getcpuclockid gives.
    const int Scheduler = 2;

    /// <summary>The standard output of a .NET program, which must end with 0.</summary>
    public static async Task<string> OutputAsync(IEnumerable<string> words, CancellationToken cancel = default)
    {
        using var process = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, words)
        {
            RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = BuiltPrograms.Root,
        })!;
        var texts = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(cancel), process.StandardError.ReadToEndAsync(cancel));
        await process.WaitForExitAsync(cancel);
        return process.ExitCode == 0
            ? texts[0]
            : throw new UserErrorException(
                $"dotnet {string.Join(' ', words)} ended with {process.ExitCode}: {string.Concat(texts).Trim()}", "Try it by hand.",
                ExitCode.NoSession);
    }

    /// <summary>
    /// User and kernel time since a process began, milliseconds, by its kernel clock: in nanoseconds, where /proc counts hundredths of a
    /// second.
    /// </summary>
    public static double CpuMs(int pid) =>
        ClockGetTime((~pid << 3) | Scheduler, out var time) == 0
            ? time.Seconds * 1000.0 + time.Nanoseconds / 1e6
            : throw new InvalidOperationException($"process {pid} has no clock");

    /// <summary>A number of /proc/PID/status, such as <c>VmRSS</c> in kB.</summary>
    public static long Status(int pid, string field)
    {
        var line = File.ReadLines($"/proc/{pid}/status").First(l => l.StartsWith(field + ":", StringComparison.Ordinal));
        return long.Parse(line.Split((char[])[' ', '\t'], StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture);
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int ClockGetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}

/// <summary>Reads a stream to its end on a thread of its own and counts.</summary>
sealed class CountingReader
{
    long bytes;

    public CountingReader(Stream stream) => new Thread(() => Drain(stream)) { IsBackground = true }.Start();

    public long Bytes => Volatile.Read(ref bytes);

    void Drain(Stream stream)
    {
        var buffer = new byte[1 << 16];
        while (stream.Read(buffer, 0, buffer.Length) is > 0 and var count)
            Volatile.Write(ref bytes, bytes + count);
    }
}

/// <summary>A process that keeps its pool busy, is idle without chains, or answers requests, and tells how much it has done.</summary>
sealed class LoadProcess : IAsyncDisposable
{
    /// <summary>Items that do nothing but queue the next.</summary>
    public const string Idle = "idle-load";

    /// <summary>Computing, and a thread that ticks.</summary>
    public const string Ticking = "ticking-load";

    const string Computing = "load";

    readonly Process process;

    LoadProcess(Process process) => this.process = process;

    public int Pid => process.Id;

    /// <summary>What it said when it was ready.</summary>
    public string Ready { get; private set; } = "";

    /// <summary>On the machine's own runtime.</summary>
    public static Task<LoadProcess> StartAsync(int chains, string kind = Computing) =>
        StartAsync(new(BuiltPrograms.Host, [Path.Combine(AppContext.BaseDirectory, "Tpwatch.Load.dll"), kind, $"{chains}"]));

    /// <summary>On a runtime that the machine may not have.</summary>
    public static async Task<LoadProcess> StartAsync(int chains, TargetRuntime runtime) =>
        await StartAsync(new(await PublishedProgram.OfAsync(Path.Combine("tests", "Tpwatch.Load"), runtime), [Computing, $"{chains}"]));

    public static async Task<LoadProcess> StartAsync(ProcessStartInfo start)
    {
        (start.RedirectStandardInput, start.RedirectStandardOutput) = (true, true);
        // Optimised from the start: a load that gets faster while it is measured says nothing.
        start.Environment["DOTNET_TieredPGO"] = "0";
        start.Environment["DOTNET_TieredCompilation"] = "0";
        var load = new LoadProcess(Process.Start(start)!);
        load.Ready = await load.process.StandardOutput.ReadLineAsync() ?? "";
        return load;
    }

    /// <summary>
    /// Items since the start, processor time at the same moment, and, of a load that ticks, the longest of its ticks since the last
    /// question, milliseconds.
    /// </summary>
    public async Task<(long Items, double CpuMs, double LongestMs)> ReadAsync()
    {
        await process.StandardInput.WriteLineAsync("?");
        await process.StandardInput.FlushAsync();
        var words = (await process.StandardOutput.ReadLineAsync())!.Split(' ');
        return (long.Parse(words[0], CultureInfo.InvariantCulture), Processes.CpuMs(Pid),
            words is [_, var longest] ? double.Parse(longest, CultureInfo.InvariantCulture) : 0);
    }

    public async ValueTask DisposeAsync()
    {
        process.Kill();
        await process.WaitForExitAsync();
        process.Dispose();
    }
}
