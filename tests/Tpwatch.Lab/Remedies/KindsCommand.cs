using System.Diagnostics;
using System.Text.Json;
using Tpwatch.Fixtures.Inside.Kinds;
using Tpwatch.Lab.Runs;
using Tpwatch.LiveTests.Inside;

namespace Tpwatch.Lab.Remedies;

/// <summary>
/// Tries for each kind of wait whether more threads help and whether the remedy does. Writes tests/WAITS.md; misses its goals where a
/// report was wrong, or its advice.
/// </summary>
static class KindsCommand
{
    const int UsualParallel = 2;

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var chosen = KindCatalogue.All.Where(kind => words.Rest.Count == 0 || words.Rest.Contains(kind.Name)).ToArray();
        if (chosen.Length == 0)
            return words.Refuse("no kind has one of these names");
        var load = MachineWords.LoadNow();
        var tried = await Trials<TriedKind>.RunAsync(chosen, parallel, kind => kind.Name, TriedKind.OfAsync, Row);
        var page = BuiltPrograms.InTests("WAITS.md");
        if (!dry && tried.Failures is [])
            File.WriteAllText(page, Write(
                KeptRows.Of(page, [.. tried.Done.Select(one => $"| {Row(one)} |")], words.Rest.Count > 0, MachineWords.Of(load))));
        int Count(Func<TriedKind, bool> which) => tried.Done.Count(which);
        return tried.Conclude(new Goals()
            .AtMost("kinds of waits told wrong", Count(one => !one.IsRight), 0)
            .AtMost("advised mins that left more than two thirds of the time", Count(one => one.IsUselessMin), 0)
            .AtMost("mins called useless that help", Count(one => one.IsForbidden), 0)
            .AtMost("remedies that left more than two thirds of the time", Count(one => one.Waited && !one.RemedyHelped), 0));
    }

    static string Write(KeptRows kept) => $"""
        # Kinds of waits, and what helps

        Each kind (`fixtures/Inside/Kinds`) ran for 40 s as a steady load of items that block, met after 12 s by `report`. It ran once more with
        a larger MinThreads, and once with the remedy. Where a min that was called useless helped at first, both ran again for 100 s, and count
        from the second minute on: threads that only wait elsewhere are used up by then. The times are those of an empty item queued ten times a second: half of them started
        within so long. Written by `dotnet run --project tests/Tpwatch.Lab -c Release -- kinds`.

        {string.Join("\n\n", kept.Machines)}

        | kind | said | waits for | half start within | MinThreads said | tried | half start then | | with the remedy | |
        |---|---|---|---|---|---|---|---|---|---|
        {string.Join('\n', kept.Rows)}

        """.ReplaceLineEndings("\n");

    static string Row(TriedKind one) => string.Join(" | ",
        one.Kind.Name, one.Said.Verdict, $"{one.Said.Resource ?? "nothing"}{(one.IsRight ? "" : $" in {one.Said.Frame} WRONG")}",
        MetLate.Time(one.Before), MetLate.Min(one.Said, "nothing"), $"{one.Min}", MetLate.Time(one.WithMin), CameOfMin(one),
        MetLate.Time(one.WithRemedy), !one.Waited ? "" : one.RemedyHelped ? "helped" : "USELESS");

    static string CameOfMin(TriedKind one) => !one.Waited ? "nothing waited"
        : one.IsUselessMin ? "USELESS"
        : one.IsForbidden ? "helped, THOUGH FORBIDDEN"
        : $"{(one.MinHelped ? "helped" : "did not help")}{(one.IsSettled ? " in the second minute" : "")}";
}

/// <summary>
/// A kind of wait as it is, met in the middle of its trouble by the tool itself; once more with a larger MinThreads, and once with the
/// remedy that the report names. What became of the waits is the program's own word.
/// </summary>
sealed record TriedKind(WaitKind Kind, SaidOfKind Said, int Min, KindResult Before, KindResult WithMin, KindResult WithRemedy)
{
    /// <summary>Where half of new items start within this, milliseconds, nothing waits.</summary>
    const double NothingMs = 20;

    /// <summary>A min that is tried where none is advised; what comes in ten seconds, so that it is not just room to wait in.</summary>
    const int Plenty = 100;

    const int LookSeconds = 8;

    static readonly TimeSpan Unseen = TimeSpan.FromSeconds(12);

    static readonly TimeSpan Whole = TimeSpan.FromSeconds(40);

    /// <summary>Whether new items waited at all.</summary>
    public bool Waited => Before.StartP50Ms > NothingMs;

    public bool MinHelped => Came(WithMin);

    public bool RemedyHelped => Came(WithRemedy);

    /// <summary>Whether the report named what the items wait for, as far as that can be told, and where.</summary>
    public bool IsRight =>
        SaidOfKind.Allowed(Kind, readsMemory: true).Contains(Said.Resource)
            && Said.Frame?.EndsWith(Kind.Frame, StringComparison.Ordinal) == true;

    /// <summary>Advised without a condition, and nothing came of it.</summary>
    public bool IsUselessMin => Waited && Said is { Min: not null, IsConditional: false } && !MinHelped;

    /// <summary>Told to be of no use, though it helps.</summary>
    public bool IsForbidden => Waited && Said.Refused && MinHelped;

    /// <summary>Whether the times before and with the min are of the second minute.</summary>
    public bool IsSettled { get; private init; }

    public static async Task<TriedKind> OfAsync(WaitKind kind, CancellationToken cancel)
    {
        SaidOfKind? said = null;
        var before = await RunAsync(kind, async pid =>
        {
            await Task.Delay(Unseen, cancel);
            said = await MetLate.ReportAsync(pid, LookSeconds, cancel);
        }, cancel);
        var min = said!.Min ?? Plenty;
        var tried = new TriedKind(kind, said, min, before,
            await RunAsync(kind, _ => Task.CompletedTask, cancel, MetLate.Least(min)),
            await RunAsync(kind, _ => Task.CompletedTask, cancel, "--remedied", "1"));
        if (!tried.IsForbidden)
            return tried;
        var (settled, withMin) = await MetLate.SettledAsync(
            async words => await RunAsync(kind, _ => Task.CompletedTask, cancel, words), min);
        return tried with { Before = settled!, WithMin = withMin!, IsSettled = true };
    }

    bool Came(KindResult after) => MetLate.Helped(Before, after, NothingMs);

    static async Task<KindResult> RunAsync(WaitKind kind, Func<int, Task> meanwhile, CancellationToken cancel, params string[] options) =>
        MetLate.Result(await MetLate.RunAsync(
            BuiltPrograms.Inside, [kind.Name, "--seconds", $"{MetLate.Seconds(Whole, options)}", .. options], meanwhile, cancel));
}

/// <summary>A program that ends by itself and tells how long its empty items waited, and what the tool says of it meanwhile.</summary>
static class MetLate
{
    /// <summary>A change that leaves more than this share of the time is useless.</summary>
    public const double Helps = 2 / 3.0;

    const string Processors = "8";

    const string Settled = "--settled";

    /// <summary>How much longer it runs where a min that was refused helped at first; items that came before are not counted.</summary>
    static readonly TimeSpan Later = TimeSpan.FromSeconds(60);

    /// <summary>Whether a change made half of the empty items start sooner; within so many milliseconds nothing waits.</summary>
    public static bool Helped(KindResult before, KindResult after, double nothingMs) =>
        after.StartP50Ms <= Math.Max(nothingMs, Helps * before.StartP50Ms);

    /// <summary>Within what time half of the empty items started, as a page has it.</summary>
    public static string Time(KindResult? told) =>
        told is not { StartP50Ms: var ms } ? "" : ms < 1000 ? $"{ms:0} ms" : $"{ms / 1000:0.0} s";

    /// <summary>What a report says of MinThreads, as a page has it.</summary>
    public static string Min(SaidOfKind said, string nothing) => said switch
    {
        { Min: { } min, IsConditional: true } => $"{min}, with a condition",
        { Min: { } min } => $"{min}",
        { Refused: true } => "of no use",
        _ => nothing,
    };

    /// <summary>The words by which the program has a larger min.</summary>
    public static string[] Least(int min) => ["--min", $"{min}"];

    /// <summary>The same program without and with a min, both counted from the second minute on.</summary>
    public static async Task<(KindResult? Before, KindResult? WithMin)> SettledAsync(Func<string[], Task<KindResult?>> runAsync, int min)
    {
        // Threads that only wait in another place are more room for a while.
        string[] settled = [Settled, $"{Later.TotalSeconds}"];
        return (await runAsync(settled), await runAsync([.. settled, .. Least(min)]));
    }

    /// <summary>How long it runs with these words, seconds.</summary>
    public static double Seconds(TimeSpan usual, string[] words) => (words.Contains(Settled) ? usual + Later : usual).TotalSeconds;

    /// <summary>Runs it to its end.</summary>
    /// <param name="program">The assembly.</param>
    /// <param name="words">Its command line.</param>
    /// <param name="meanwhile">What is done beside it, by its process id.</param>
    /// <param name="cancel">Stops the wait.</param>
    /// <returns>The last line that it wrote.</returns>
    public static async Task<string> RunAsync(string program, string[] words, Func<int, Task> meanwhile, CancellationToken cancel)
    {
        using var process = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, ["exec", program, .. words])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            Environment = { ["DOTNET_PROCESSOR_COUNT"] = Processors },
        })!;
        var all = process.StandardOutput.ReadToEndAsync(cancel);
        await meanwhile(process.Id);
        await process.WaitForExitAsync(cancel);
        return (await all).TrimEnd().Split('\n')[^1];
    }

    /// <summary>The line as what came of the items.</summary>
    public static KindResult Result(string line) => JsonSerializer.Deserialize<KindResult>(line, KindResult.Json)!;

    /// <summary>What <c>report</c> says of a process after so many seconds.</summary>
    public static async Task<SaidOfKind> ReportAsync(int pid, int seconds, CancellationToken cancel)
    {
        // A verdict has an exit code of its own.
        var start = new ProcessStartInfo(BuiltPrograms.Host,
            ["exec", BuiltPrograms.WholeTool, "report", "-p", $"{pid}", "--duration", $"{seconds}s", "--format", "json"]);
        start.RedirectStandardOutput = true;
        using var tool = Process.Start(start)!;
        var text = await tool.StandardOutput.ReadToEndAsync(cancel);
        await tool.WaitForExitAsync(cancel);
        return SaidOfKind.Parse(text);
    }
}

/// <summary>A page's table, all of which was made now, or only some rows of it while the others stay.</summary>
/// <param name="Rows">The rows, as lines.</param>
/// <param name="Machines">What is said of the machine and the commit, a paragraph each.</param>
sealed record KeptRows(string[] Rows, string[] Machines)
{
    /// <param name="page">The page as it is; it must exist if only a part was made.</param>
    /// <param name="fresh">The rows that were made now; the first cell is a row's name.</param>
    /// <param name="isPart">Whether the other rows stay.</param>
    /// <param name="machine">What is said of the machine now.</param>
    public static KeptRows Of(string page, string[] fresh, bool isPart, string machine)
    {
        if (!isPart)
            return new(fresh, [machine]);
        var before = File.ReadAllLines(page);
        return new(
            [
                .. before.Where(line => line.StartsWith("| ", StringComparison.Ordinal)).Skip(1)
                    .Select(line => Array.Find(fresh, row => Name(row) == Name(line)) ?? line),
            ],
            [
                .. before.Where(line => line.Contains(" processors, ", StringComparison.Ordinal)),
                $"Met again: {string.Join(", ", fresh.Select(Name))}. {machine}",
            ]);
    }

    static string Name(string row) => row.Split('|')[1].Trim();
}
