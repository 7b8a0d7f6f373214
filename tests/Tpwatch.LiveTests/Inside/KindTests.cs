using System.Collections.Immutable;
using System.Globalization;
using Tpwatch.Fixtures.Inside.Kinds;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Inside;

/// <summary>
/// Each kind of wait under a steady load, attached late: what is waited for is the program's own word; and a larger MinThreads is advised
/// nowhere where the page of tried remedies says that it is of no use.
/// </summary>
public sealed class KindTests
{
    const int LimitMs = 9 * 60 * 1000;

    /// <summary>At a time; more of them take each other's processors.</summary>
    const int Parallel = 3;

    /// <summary>The program has been in its trouble for so long.</summary>
    static readonly TimeSpan Late = TimeSpan.FromSeconds(6);

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    static readonly ImmutableArray<string> Useless =
    [
        "http-limited", "channel", "collection", "static-constructor", "lazy", "write-lock", "mutex",
    ];

    static readonly ImmutableArray<string> Useful = ["http", "revocation", "read-lock", "join", "process", "file-open"];

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact(Timeout = LimitMs, Explicit = true)]
    public Task With_the_memory() => EachAsync(Third(0), TargetRuntime.Net10);

    [Fact(Timeout = LimitMs, Explicit = true)]
    public Task Without_it() => EachAsync(Third(1), TargetRuntime.Net10, "--no-inside");

    [Fact(Timeout = LimitMs, Explicit = true)]
    public Task On_NET_11() => EachAsync(Third(2), TargetRuntime.Net11);

    /// <summary>
    /// Optimized code has no frame of its own for the inner wait of a task; what the task waits for is read all the same.
    /// </summary>
    [Fact(Timeout = LimitMs)]
    public async Task In_optimized_code()
    {
        var start = InsideBuild.Command(TargetRuntime.Net10);
        start.Environment["DOTNET_TieredCompilation"] = "0";
        start.Environment["DOTNET_ReadyToRun"] = "0";
        await using var target = await InsideTarget.TellingAsync(start, "channel", Cancel, "--seconds", "60");
        await Task.Delay(Late, Cancel);
        var seen = await InsideCommand.ReadAsync(target.Pid, Cancel);
        Assert.NotEmpty(seen.In("Outbox.Post"));
        Assert.All(seen.In("Outbox.Post"), wait => Assert.Equal("channel", wait.End));
    }

    // Each kind is met once here; the page of programs met late has all of them in every way.
    static ImmutableArray<WaitKind> Third(int which) => [.. KindCatalogue.All.Where((_, n) => n % 3 == which)];

    static async Task EachAsync(ImmutableArray<WaitKind> kinds, TargetRuntime runtime, params string[] options)
    {
        List<string> wrong = [];
        await System.Threading.Tasks.Parallel.ForEachAsync(kinds,
            new ParallelOptions { MaxDegreeOfParallelism = Parallel, CancellationToken = Cancel }, async (kind, cancel) =>
        {
            if (await WrongAsync(kind, runtime, options, cancel) is { } words)
            {
                lock (wrong)
                {
                    wrong.Add($"{kind.Name}: {words}");
                }
            }
        });
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    static async Task<string?> WrongAsync(WaitKind kind, TargetRuntime runtime, string[] options, CancellationToken cancel)
    {
        var start = InsideBuild.Command(runtime);
        start.Environment["DOTNET_PROCESSOR_COUNT"] = "4";
        await using var target = await InsideTarget.TellingAsync(start, kind.Name, cancel, "--seconds", "120");
        await Task.Delay(Late, cancel);
        var run = await ToolRun.Of(
            new(BuiltPrograms.Host,
            [
                "exec", ToolRun.Tool, "report", "-p",
                target.Pid.ToString(CultureInfo.InvariantCulture), "--duration", "8s", "--format", "json", .. options,
            ]), Limit, cancel);
        if (run.Code != 0)
        {
            return run.Error;
        }

        var said = SaidOfKind.Parse(run.Out);
        return said is not { Resource: { } resource, Frame: { } frame } ? $"{said.Verdict}, and no place that blocks"
            : !SaidOfKind.Allowed(kind, readsMemory: options.Length == 0).Contains(resource) ? $"{said.Verdict}, {resource} in {frame}"
            : !frame.EndsWith(kind.Frame, StringComparison.Ordinal) ? $"{said.Verdict}, in {frame}"
            : said.Verdict is "healthy" or "notThePool" ? said.Verdict
            : said is { Min: { } min, IsConditional: false } && IsUseless(kind, resource) ? $"{said.Verdict}, MinThreads {min} is advised"
            : said.Min is null && Useful.Contains(kind.Name) && said.Verdict is not ("starvedAtMax" or "compensated")
                ? $"{said.Verdict}, no min is advised"
            : null;
    }

    // Of a task stacks do not show what it waits for; and whether HttpClient's pool has a limit is said as a condition.
    static bool IsUseless(WaitKind kind, string resource) => Useless.Contains(kind.Name) && resource != "task";
}
