using System.Globalization;
using System.Text.Json;
using Tpwatch.Inside;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Inside;

/// <summary>What hangs and what only waits for work, attached late, by the whole tool.</summary>
public sealed class HangTests
{
    const int LimitMs = 3 * 60 * 1000;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    static readonly (string Mode, string Verdict, string Finding)[] Told = [("parked", "healthy", "TPW020"), ("ticking", "held", "TPW018")];

    /// <summary>Of a hang behind compensation: what stands in the headline.</summary>
    static readonly (string Mode, string Verdict, string Finding, string Words)[] Hidden =
    [
        ("unending", "held", "TPW018", "that do not complete"), ("growing", "compensated", "TPW002", "without an end in sight"),
    ];

    static readonly TargetRuntime[] Runtimes = [TargetRuntime.Net8, TargetRuntime.Net10, TargetRuntime.Net11];

    /// <summary>Longer than idle threads live: without stacks nothing less tells them from those that hang.</summary>
    static readonly string[] Long = ["--duration", "28s"];

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact(Timeout = LimitMs)]
    public Task With_the_memory() => Task.WhenAll(
        Told.Zip([TargetRuntime.Net10, TargetRuntime.Net11],
            (told, runtime) => IsToldAsync(runtime, told.Mode, told.Verdict, told.Finding)));

    [Fact(Timeout = LimitMs, Explicit = true)]
    public Task Without_it() => Task.WhenAll(
        Told.Select(told => IsToldAsync(TargetRuntime.Net10, told.Mode, told.Verdict, told.Finding, "--no-inside")));

    /// <summary>As the screen looks: nobody asks for stacks, and a reading tells nevertheless.</summary>
    [Fact(Timeout = LimitMs, Explicit = true)]
    public Task Without_being_asked() => IsToldAsync(TargetRuntime.Net10, "parked", "healthy", "TPW020", "--depth", "basic");

    [Fact(Timeout = LimitMs, Explicit = true)]
    public Task A_hang_behind_compensation() => Task.WhenAll(
        Hidden.Zip([TargetRuntime.Net11, TargetRuntime.Net10], async (hidden, runtime) =>
        {
            var (mode, verdict, finding, words) = hidden;
            var summary = await IsToldAsync(runtime, mode, verdict, finding);
            Assert.Contains(words, summary, StringComparison.Ordinal);
            Assert.DoesNotContain("Not urgent", summary, StringComparison.Ordinal);
        }));

    /// <summary>A healthy pool: who asks for stacks gets them, and the threads that hang are named.</summary>
    [Fact(Timeout = LimitMs)]
    public async Task Threads_outside_the_pool()
    {
        var report = await IsToldAsync(TargetRuntime.Net10, "outside", "healthy", "TPW021", "--depth", "stacks");
        Assert.Contains("MessageLoop.Show > Task.Result", report, StringComparison.Ordinal);
        Assert.Contains("The finalizer thread in Handles.Finalize", report, StringComparison.Ordinal);
    }

    /// <summary>Two items among others that complete: found by the one reading that a report takes though nothing waits.</summary>
    [Fact(Timeout = LimitMs)]
    public Task A_deadlock_of_two_items() => Task.WhenAll(Runtimes.Select(async runtime =>
    {
        var report = await IsToldAsync(runtime, "deadlock", "healthy", "TPW022", "--duration", "20s");

        // Before .NET 10 the frame of the wait depends on how the method was compiled.
        var call = runtime < TargetRuntime.Net10 ? "" : "Monitor.Enter";
        Assert.Contains($"Transfers.Pay > {call}", report, StringComparison.Ordinal);
        Assert.Contains($"Transfers.Refund > {call}", report, StringComparison.Ordinal);
    }));

    /// <summary>Where the process that reads does not answer, nothing is known of a deadlock of two items: the report says why.</summary>
    [Fact(Timeout = LimitMs, Explicit = true)]
    public async Task A_reading_that_does_not_answer()
    {
        await using var target = await InsideTarget.StartAsync(TargetRuntime.Net10, "deadlock", Cancel, "--seconds", "120");
        var report = ToolRun.Of(
            new(BuiltPrograms.Host, ["exec", ToolRun.Tool, "report", "-p", $"{target.Pid}", "--format", "json", "--duration", "45s"]),
            Limit, Cancel);
        var reads = $"{MemoryReaderLauncher.Verb}\0{target.Pid}\0";
        while (!report.IsCompleted)
        {
            foreach (var reader in SeenProcesses.Of(words => words.EndsWith(reads, StringComparison.Ordinal)))
            {
                await Signal.SendAsync("STOP", reader, Cancel);
            }

            await Task.Delay(20, Cancel);
        }

        Assert.Contains("the process that reads it did not answer within 15 s", (await report).Out, StringComparison.Ordinal);
    }

    static async Task<string> IsToldAsync(TargetRuntime runtime, string mode, string verdict, string finding, params string[] options)
    {
        await using var target = await InsideTarget.StartAsync(runtime, mode, Cancel, "--seconds", "120");
        var run = await ToolRun.Of(
            new(BuiltPrograms.Host,
            [
                "exec", ToolRun.Tool, "report", "-p",
                target.Pid.ToString(CultureInfo.InvariantCulture), "--format", "json",
                .. options.Contains("--duration") ? [] : Long, .. options,
            ]), Limit, Cancel);
        Assert.True(run.Code == 0, run.Error);
        using var document = JsonDocument.Parse(run.Out);
        Assert.Equal(verdict, document.RootElement.GetProperty("summary").GetProperty("verdict").GetString());
        var found = document.RootElement.GetProperty("findings").EnumerateArray().Select(f => f.GetProperty("id").GetString()).ToArray();
        Assert.True(found.Contains(finding), document.RootElement.TryGetProperty("inside", out var inside)
            ? $"{runtime} {mode}: {string.Join(' ', found)}; {inside}" : $"{runtime} {mode}: {string.Join(' ', found)}; no reading");
        return run.Out;
    }
}
