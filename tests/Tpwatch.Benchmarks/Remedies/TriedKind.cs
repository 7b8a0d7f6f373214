using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tpwatch.Fixtures.Inside.Kinds;
using Tpwatch.LiveTests.Inside;

namespace Tpwatch.Benchmarks.Remedies;

/// <summary>
/// A kind of wait as it is, met in the middle of its trouble by the tool itself; once more with a larger MinThreads, and once with the
/// remedy that the report names. What became of the waits is the program's own word.
/// </summary>
sealed record TriedKind(WaitKind Kind, SaidOfKind Said, int Min, KindResult Before, KindResult WithMin, KindResult WithRemedy)
{
    /// <summary>A change that leaves more than this share of the time is useless.</summary>
    const double Helps = 2 / 3.0;

    /// <summary>Where half of new items start within this, milliseconds, nothing waits.</summary>
    const double NothingMs = 20;

    /// <summary>A min that is tried where none is advised; what comes in ten seconds, so that it is not just room to wait in.</summary>
    const int Plenty = 100;

    const string Processors = "8";

    static readonly TimeSpan Unseen = TimeSpan.FromSeconds(12);

    static readonly TimeSpan Whole = TimeSpan.FromSeconds(40);

    /// <summary>Whether new items waited at all.</summary>
    public bool Waited => Before.StartP50Ms > NothingMs;

    public bool MinHelped => Came(WithMin);

    public bool RemedyHelped => Came(WithRemedy);

    /// <summary>Whether the report named what the items wait for, and where.</summary>
    public bool IsRight => Said.Resource == Kind.Resource && Said.Frame?.EndsWith(Kind.Frame, StringComparison.Ordinal) == true;

    /// <summary>Advised without a condition, and nothing came of it.</summary>
    public bool IsUselessMin => Waited && Said is { Min: not null, IsConditional: false } && !MinHelped;

    /// <summary>Told to be of no use, though it helps.</summary>
    public bool IsForbidden => Waited && Said.Refused && MinHelped;

    public static async Task<TriedKind> OfAsync(WaitKind kind, CancellationToken cancel)
    {
        SaidOfKind? said = null;
        var before = await RunAsync(kind, async pid =>
        {
            await Task.Delay(Unseen, cancel);
            said = await ReportAsync(pid, cancel);
        }, cancel);
        var min = said!.Min ?? Plenty;
        return new(kind, said, min, before,
            await RunAsync(kind, _ => Task.CompletedTask, cancel, "--min", min.ToString(CultureInfo.InvariantCulture)),
            await RunAsync(kind, _ => Task.CompletedTask, cancel, "--remedied", "1"));
    }

    bool Came(KindResult after) => after.StartP50Ms <= Math.Max(NothingMs, Helps * Before.StartP50Ms);

    static async Task<KindResult> RunAsync(WaitKind kind, Func<int, Task> meanwhile, CancellationToken cancel, params string[] options)
    {
        using var process = Process.Start(new ProcessStartInfo(
            BuiltPrograms.Host,
            ["exec", BuiltPrograms.Inside, kind.Name, "--seconds", $"{Whole.TotalSeconds}", .. options])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            Environment = { ["DOTNET_PROCESSOR_COUNT"] = Processors },
        })!;
        var all = process.StandardOutput.ReadToEndAsync(cancel);
        await meanwhile(process.Id);
        await process.WaitForExitAsync(cancel);
        return JsonSerializer.Deserialize<KindResult>((await all).TrimEnd().Split('\n')[^1], KindResult.Json)!;
    }

    static async Task<SaidOfKind> ReportAsync(int pid, CancellationToken cancel)
    {
        using var tool = Process.Start(new ProcessStartInfo(
            BuiltPrograms.Host,
            [
                "exec", BuiltPrograms.WholeTool, "report", "-p", pid.ToString(CultureInfo.InvariantCulture), "--duration", "8s", "--format",
                "json",
            ])
        {
            RedirectStandardOutput = true,
        })!;
        var text = await tool.StandardOutput.ReadToEndAsync(cancel);
        await tool.WaitForExitAsync(cancel);
        return SaidOfKind.Parse(text);
    }
}
