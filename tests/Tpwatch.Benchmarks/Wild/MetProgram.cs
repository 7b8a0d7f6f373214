using Tpwatch.Benchmarks.Remedies;
using Tpwatch.Fixtures.Inside.Kinds;
using Tpwatch.LiveTests.Inside;

namespace Tpwatch.Benchmarks.Wild;

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
        {
            return met;
        }

        met = met with { WithMin = await RunAsync(program, _ => Task.CompletedTask, cancel, MetLate.Least(tried)) };
        if (!met.IsForbiddenMin || !program.TakesSettled)
        {
            return met;
        }

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
