using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Tpwatch.Lab.Compare;

/// <summary>
/// Two commands in turn, A B and B A: whatever else the machine does meets both alike. What a person waits for, and the processor time of
/// the ended children as the kernel counts it.
/// </summary>
static class Pairs
{
    const int Children = -1;
    const double Micro = 1e-6;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>So many pairs, after one that is not counted.</summary>
    public static PairTimes Of(Command one, Command other, int pairs)
    {
        _ = (Run(one), Run(other));
        var all = Enumerable.Range(0, pairs).Select(n => Pair(one, other, n)).ToList();
        return new(
            new(all.Select(p => p.One.Ms / p.Other.Ms)), new(all.Select(p => p.One.CpuMs / p.Other.CpuMs)), new(all.Select(p => p.One.Ms)));
    }

    static ((double Ms, double CpuMs) One, (double Ms, double CpuMs) Other) Pair(Command one, Command other, int number)
    {
        var first = Run(number % 2 == 0 ? one : other);
        var second = Run(number % 2 == 0 ? other : one);
        return number % 2 == 0 ? (first, second) : (second, first);
    }

    static (double Ms, double CpuMs) Run(Command command)
    {
        var start = new ProcessStartInfo(command.Program, command.Arguments);
        (start.RedirectStandardOutput, start.RedirectStandardError) = (true, true);
        var (cpu, watch) = (ChildrenMs(), Stopwatch.StartNew());
        using var process = Process.Start(start) ?? throw new InvalidOperationException($"{command.Program} did not start");
        process.ErrorDataReceived += (_, _) => { };
        process.BeginErrorReadLine();
        _ = process.StandardOutput.ReadToEnd();
        if (!process.WaitForExit(Limit) || process.ExitCode != 0)
            throw new InvalidOperationException($"{command} did not answer properly");
        return (watch.Elapsed.TotalMilliseconds, Math.Max(ChildrenMs() - cpu, 1));
    }

    static double ChildrenMs() => GetUsage(Children, out var usage) == 0
        ? (usage.UserSeconds + usage.KernelSeconds + (usage.UserMicro + usage.KernelMicro) * Micro) * 1000
        : throw new InvalidOperationException("the kernel does not count the children's time");

    [DllImport("libc", EntryPoint = "getrusage")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int GetUsage(int who, out Usage usage);

    /// <summary>Two times, and fourteen counts that nobody asks for.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 18 * 8)]
    struct Usage
    {
        public nint UserSeconds;
        public nint UserMicro;
        public nint KernelSeconds;
        public nint KernelMicro;
    }
}

/// <summary>What the first of a pair took.</summary>
/// <param name="Wall">Of what the other took, as a person waits.</param>
/// <param name="Processor">Of what the other took, processor time.</param>
/// <param name="FirstMs">As a person waits, milliseconds.</param>
sealed record PairTimes(Spread Wall, Spread Processor, Spread FirstMs);

/// <summary>A program and its arguments.</summary>
sealed record Command(string Program, params string[] Arguments)
{
    public override string ToString() => string.Join(' ', [Path.GetFileName(Program), .. Arguments]);
}

/// <summary>A row of the page of performance.</summary>
/// <param name="What">What was measured.</param>
/// <param name="Beside">What it was measured beside, or what it is a share of.</param>
/// <param name="Measured">The figure with its spread.</param>
/// <param name="Budget">What it may be; null is none, a row that only shows how much chance is in the others.</param>
/// <param name="Holds">Null where there is no budget, or it could not be measured here.</param>
sealed record ComparedRow(string What, string Beside, string Measured, string? Budget, bool? Holds)
{
    /// <summary>A ratio of pairs.</summary>
    public static ComparedRow Ratio(string what, string beside, Spread ratios, double? most, string also = "")
    {
        var measured = $"{ratios.Median:0.00} times ({ratios.Least:0.00} to {ratios.Most:0.00}, {ratios.Count} pairs){also}";
        return most is { } budget
            ? new(what, beside, measured, $"at most {budget:0.00}", ratios.Median <= budget)
            : new(what, beside, measured, null, null);
    }

    /// <summary>A row of the table.</summary>
    public override string ToString() =>
        $"| {What} | {Beside} | {Measured} | {Budget ?? "none"} | {Holds switch { true => "held", false => "missed", null => "" }} |";
}
