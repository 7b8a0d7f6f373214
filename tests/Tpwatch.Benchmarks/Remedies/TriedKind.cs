using Tpwatch.Fixtures.Inside.Kinds;
using Tpwatch.LiveTests.Inside;

namespace Tpwatch.Benchmarks.Remedies;

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
        {
            return tried;
        }

        var (settled, withMin) = await MetLate.SettledAsync(
            async words => await RunAsync(kind, _ => Task.CompletedTask, cancel, words), min);
        return tried with { Before = settled!, WithMin = withMin!, IsSettled = true };
    }

    bool Came(KindResult after) => MetLate.Helped(Before, after, NothingMs);

    static async Task<KindResult> RunAsync(WaitKind kind, Func<int, Task> meanwhile, CancellationToken cancel, params string[] options) =>
        MetLate.Result(await MetLate.RunAsync(
            BuiltPrograms.Inside, [kind.Name, "--seconds", $"{MetLate.Seconds(Whole, options)}", .. options], meanwhile, cancel));
}
