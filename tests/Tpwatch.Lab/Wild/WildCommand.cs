using System.Collections.Immutable;
using System.Text.Json;
using Tpwatch.Fixtures.Inside.Kinds;
using Tpwatch.Lab.Remedies;
using Tpwatch.Lab.Runs;
using Tpwatch.LiveTests.Inside;
using Tpwatch.LiveTests.Services;
using Tpwatch.Scoring.Checks;

namespace Tpwatch.Lab.Wild;

/// <summary>
/// Meets programs of many kinds late, by the tool as a user has it, and holds each answer against what is true of the program. Writes
/// tests/WILD.md; misses its goals where an answer is wrong.
/// </summary>
static class WildCommand
{
    const int UsualParallel = 2;

    /// <summary>What a cell of the page has room for, characters.</summary>
    const int MostOfRemedy = 160;

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var load = MachineWords.LoadNow();
        var chosen = (await WildProgram.AllAsync()).Where(one => words.Rest.Count == 0 || words.Rest.Contains(one.Name)).ToArray();
        if (chosen.Length == 0)
            return words.Refuse("no program has one of these names");
        var met = await Trials<MetProgram>.RunAsync(chosen, parallel, program => program.Name, MetProgram.OfAsync, Row);
        var page = BuiltPrograms.InTests("WILD.md");
        if (!dry)
            File.WriteAllText(page, Write(KeptRows.Of(
                page, [.. met.Done.Select(one => $"| {Row(one)} |")], words.Rest.Count > 0, MachineWords.Of(load)), met.Failures));
        int Count(Func<MetProgram, bool> which) => met.Done.Count(which);
        return met.Conclude(new Goals()
            .AtMost("wrong verdicts", Count(one => one.IsWrongVerdict), 0)
            .AtMost("wrong culprits", Count(one => one.IsWrongCulprit), 0)
            .AtMost("false alarms", Count(one => one.IsFalseAlarm), 0)
            .AtMost("useless or harmful remedies", Count(one => one.IsWrongRemedy), 0));
    }

    // The counts are those of the marks in the rows, also of rows that stay from before.
    static string Write(KeptRows kept, string[] failures)
    {
        var rows = kept.Rows;
        int Count(int cell, params string[] marks) => rows.Count(row => marks.Any(
            mark => row.Split('|')[cell].Contains(mark, StringComparison.Ordinal)));
        return $"""
            # Programs met late

            {rows.Length} programs, {rows.Count(row => row.Split('|')[2].Trim().Length > 0)} of them on frameworks (`fixtures/Frameworks`, `fixtures/Services`), the others
            `fixtures/Inside`. Each ran for 14 s before `report --duration 10s` met it (28 s where items hang). What is true of them is how they are
            made, and what they measure themselves: within what time half of their empty items started. Where a min was advised or refused, they ran
            once more with it; where one that was refused helped at first, both figures are of the second minute of longer runs, in which threads that
            only wait elsewhere are used up. Written by `dotnet run --project tests/Tpwatch.Lab -c Release -- wild`.

            Wrong verdicts: {Count(4, " WRONG")}. Wrong culprits: {Count(5, " WRONG")}. False alarms:
            {Count(4, "FALSE ALARM")}. Useless or harmful remedies: {Count(7, " WRONG") + Count(9, "USELESS", "HELPED")}. Undecided:
            {Count(4, "undecided")}. Sick without a culprit: {Count(5, "not named")}.

            Not met: {(failures is [] ? "none" : string.Join("; ", failures))}.

            {string.Join("\n\n", kept.Machines)}

            | program | on | half start within | said | culprit | waits for | first remedy | MinThreads | half start with it |
            |---|---|---|---|---|---|---|---|---|
            {string.Join('\n', rows)}

            """.ReplaceLineEndings("\n");
    }

    static string Row(MetProgram one) => string.Join(" | ",
        one.Program.Name, one.Program.On, MetLate.Time(one.Before),
        $"{one.Said.Verdict}{(one.IsWrongVerdict ? " WRONG" : "")}"
            + (one.IsFalseAlarm ? $" FALSE ALARM {string.Join(' ', one.Said.Alarms)}" : ""),
        $"{Brief(one.Said.Frame)}{(one.IsWrongCulprit ? " WRONG" : one.IsNameless ? "not named" : "")}",
        one.Said.Resource ?? "", Remedy(one), MetLate.Min(one.Said, ""),
        MetLate.Time(one.WithMin) + (one.IsUselessMin ? " USELESS" : one.IsForbiddenMin ? " HELPED" : "")
            + (one.IsSettled ? " (second minute)" : ""));

    static string Brief(string? frame) => frame is null ? "" : string.Join('.', frame.Split('.')[^Math.Min(2, frame.Split('.').Length)..]);

    static string Remedy(MetProgram one)
    {
        var text = one.Said.Remedies.FirstOrDefault("").Replace('|', '/');
        return (text.Length > MostOfRemedy ? text[..MostOfRemedy] + "…" : text) + (one.IsToldToAwait ? " WRONG" : "");
    }
}

/// <summary>
/// A program met in the middle of what it does, by the tool itself; and once more with the min that was advised or refused. What became of
/// the waits is the program's own word.
/// </summary>
/// <param name="Program">The program.</param>
/// <param name="Said">What the report said.</param>
/// <param name="Before">How long empty items waited; null where the program does not tell.</param>
/// <param name="WithMin">The same with that min; null where none was tried.</param>
sealed record MetProgram(WildProgram Program, SaidOfKind Said, KindResult? Before, KindResult? WithMin)
{
    /// <summary>Where half of new items start within this, milliseconds, nothing waits.</summary>
    const double NothingMs = 100;

    /// <summary>Half of new items start within this, milliseconds, where the pool keeps up.</summary>
    const double QuickMs = 20;

    /// <summary>A min that is tried where the report says that none helps.</summary>
    const int Plenty = 100;

    static readonly TimeSpan Unseen = TimeSpan.FromSeconds(14);

    /// <summary>How long it runs on after the report.</summary>
    static readonly TimeSpan Rest = TimeSpan.FromSeconds(10);

    /// <summary>Whether what the program tells is of its second minute.</summary>
    public bool IsSettled { get; private init; }

    public bool IsUndecided => Said.Verdict == "undecided";

    /// <summary>Whether empty items waited, by the program's own word.</summary>
    public bool Waited => Before is { StartP50Ms: > NothingMs };

    public bool IsWrongVerdict => !IsUndecided && !Program.Verdicts.Contains(Said.Verdict) && !(KeepsUp && Said.Verdict == "healthy");

    /// <summary>The pool has all the threads by now that it needs for those that block, by the program's own word.</summary>
    bool KeepsUp => !Program.IsHealthy && Program.MayKeepUp && Before is { StartP50Ms: < QuickMs, Missing: 0 };

    /// <summary>Named, and not right.</summary>
    public bool IsWrongCulprit => !Program.IsHealthy && Said.Frame is { } frame
        && !Program.Frames.Any(own => frame.EndsWith(own, StringComparison.Ordinal));

    public bool IsNameless => !Program.IsHealthy && Said.Frame is null && Said.Verdict != "healthy";

    /// <summary>A healthy program that is accused.</summary>
    public bool IsFalseAlarm => Program.IsHealthy && !Said.Alarms.IsEmpty;

    public bool IsUselessMin => WithMin is { } with && Said is { Min: not null, IsConditional: false } && !Helped(with);

    public bool IsForbiddenMin => WithMin is { } with && Said is { Refused: true, Min: null } && Helped(with);

    /// <summary>Code that awaits already is told to await.</summary>
    public bool IsToldToAwait => Said.Frame?.Contains("async ", StringComparison.Ordinal) == true
        && Said.Remedies.Any(text => text.StartsWith("Await ", StringComparison.Ordinal));

    public bool IsWrongRemedy => IsUselessMin || IsForbiddenMin || IsToldToAwait;

    public static async Task<MetProgram> OfAsync(WildProgram program, CancellationToken cancel)
    {
        SaidOfKind? said = null;
        var before = await RunAsync(program, async pid => said = await MetLate.ReportAsync(pid, program.LookSeconds, cancel), cancel);
        var met = new MetProgram(program, said!, before, null);
        if (!met.Waited || (met.Said.Min ?? (met.Said.Refused ? Plenty : null)) is not { } tried)
            return met;
        met = met with { WithMin = await RunAsync(program, _ => Task.CompletedTask, cancel, MetLate.Least(tried)) };
        if (!met.IsForbiddenMin || !program.TakesSettled)
            return met;
        var (settled, withMin) = await MetLate.SettledAsync(words => RunAsync(program, _ => Task.CompletedTask, cancel, words), tried);
        return met with { Before = settled, WithMin = withMin, IsSettled = true };
    }

    bool Helped(KindResult with) => MetLate.Helped(Before!, with, NothingMs);

    static async Task<KindResult?> RunAsync(
        WildProgram program, Func<int, Task> meanwhile, CancellationToken cancel, params string[] options)
    {
        var seconds = MetLate.Seconds(Unseen + Rest, options) + program.LookSeconds;
        var told = await MetLate.RunAsync(program.Program, [program.Name, "--seconds", $"{seconds}", .. options], async pid =>
        {
            await Task.Delay(Unseen, cancel);
            await meanwhile(pid);
        }, cancel);
        return program.TellsDelays ? MetLate.Result(told) : null;
    }
}

/// <summary>A program that the tool meets late, and what is true of it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="On">What it is built on.</param>
/// <param name="Program">The assembly.</param>
/// <param name="Verdicts">Verdicts that are right.</param>
/// <param name="Frames">Ends of the names of own methods that block worker threads, one of which leads; none of a healthy one.</param>
sealed record WildProgram(string Name, string On, string Program, ImmutableArray<string> Verdicts, params ImmutableArray<string> Frames)
{
    static readonly ImmutableArray<string> Healthy = ["healthy", "notThePool"];

    const int ForHangs = 28;

    static readonly ImmutableArray<string> Starved = ["starved", "silentlyStarved"];

    static readonly ImmutableArray<string> ForTasks = ["starved", "silentlyStarved", "compensated"];

    /// <summary>
    /// How long it is looked at, seconds. That items hang is proven only after the runtime's idle timeout of 20 s, as the README says.
    /// </summary>
    public int LookSeconds { get; private init; } = 10;

    /// <summary>Whether it can be told from when on it counts.</summary>
    public bool TakesSettled => Program == BuiltPrograms.Frameworks || KindCatalogue.All.Any(kind => kind.Name == Name);

    /// <summary>Whether it writes at its end how long empty items waited.</summary>
    public bool TellsDelays { get; private init; } = true;

    /// <summary>Whether the pool may have added all the threads that its task waits take before anybody came.</summary>
    public bool MayKeepUp => Verdicts.Contains("compensated");

    public bool IsHealthy => Verdicts == Healthy;

    /// <summary>Whether it is built on a framework that the runtime does not bring.</summary>
    public bool IsOnFramework => On.Length > 0;

    /// <summary>All programs; those on frameworks are built first.</summary>
    public static async Task<ImmutableArray<WildProgram>> AllAsync() =>
    [
        .. await FrameworksAsync(),
        .. KindCatalogue.All.Select(kind => new WildProgram(kind.Name, "", BuiltPrograms.Inside, ForTasks, kind.Frame)),
        .. Modes(),
        .. ServiceCase.All.Select(Service),
    ];

    static IEnumerable<WildProgram> Modes() =>
    [
        new("parked", "", BuiltPrograms.Inside, Healthy) { TellsDelays = false, LookSeconds = ForHangs },
        new("ticking", "", BuiltPrograms.Inside, ["held"], "PromiseOrders.Load") { TellsDelays = false, LookSeconds = ForHangs },
        new("unending", "", BuiltPrograms.Inside, ["held"], "PromiseOrders.Load") { TellsDelays = false, LookSeconds = ForHangs },
        new("growing", "", BuiltPrograms.Inside, ["compensated", "held"], "PromiseOrders.Load")
        {
            TellsDelays = false, LookSeconds = ForHangs,
        },
    ];

    static WildProgram Service(ServiceCase one) => new(one.Scenario, "ASP.NET Core" + (NeedsDatabase(one.Scenario) ? ", Npgsql" : ""),
        BuiltPrograms.Services, one.Method is null ? Healthy : [.. one.Verdicts.Select(ExpectationCheck.Word)],
        one.Method is null ? [] : one.IsShort ? ["Shop." + one.Method, "an ASP.NET Core endpoint"] : ["Shop." + one.Method])
    {
        TellsDelays = false,
    };

    static bool NeedsDatabase(string scenario) => ServiceCase.OnDatabase.Contains(scenario);

    static async Task<IEnumerable<WildProgram>> FrameworksAsync()
    {
        var project = Path.Combine(BuiltPrograms.Root, "fixtures", "Frameworks");
        await Processes.OutputAsync(["build", project, "-c", "Release", "-v", "quiet", "--nologo"]);
        var lines = await Processes.OutputAsync(["exec", BuiltPrograms.Frameworks, "list"]);
        return lines.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Framework);
    }

    static WildProgram Framework(string line)
    {
        using var document = JsonDocument.Parse(line);
        var one = document.RootElement;
        var frame = one.GetProperty("frame").GetString()!;
        var verdicts = frame.Length == 0 ? Healthy
            : one.GetProperty("hangs").GetBoolean() ? ForTasks.Add("held")
            : one.GetProperty("isForTasks").GetBoolean() ? ForTasks : Starved;
        return new(one.GetProperty("name").GetString()!, one.GetProperty("framework").GetString()!, BuiltPrograms.Frameworks, verdicts,
            frame.Length == 0 ? [] : [frame, .. ShortHub(frame)]);
    }

    // A short method of a hub is inlined into the delegate that is compiled for it.
    static string[] ShortHub(string frame) => frame.Contains("Hub.", StringComparison.Ordinal) ? ["a SignalR hub method"] : [];
}
