using System.Collections.Immutable;
using System.Globalization;
using FsCheck;
using FsCheck.Fluent;

namespace Tpwatch.Tests.Properties;

/// <summary>
/// Laws that hold in any world: checked in the same worlds every day, which these seeds make, so that no date turns a build red. Whoever
/// changes what a law is about tries others by hand: <c>TPWATCH_SEED</c> names one or several (<c>7,8</c>), a range (<c>1-30</c>), or
/// <c>today</c>, which is the date in UTC. A law that fails names the seed and the line that runs it again, and the smallest world in
/// which it fails; that one is kept by the law as a world of its own.
/// </summary>
static class Seeds
{
    const string Variable = "TPWATCH_SEED";

    /// <summary>Any odd number; the generator asks for one beside the seed.</summary>
    const ulong Gamma = 0x9E3779B97F4A7C15;

    /// <summary>In the first of them alone a law did hold that fell in the next two; the others are any numbers.</summary>
    static readonly ImmutableArray<ulong> Fixed = [20261124, 20261126, 20261127, 1, 271828];

    static readonly ImmutableArray<ulong> All = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } set ? Read(set) : Fixed;

    /// <summary>A law about worlds that are made from a number, which says nothing when it is made smaller.</summary>
    public static void ForAnySeed(Func<int, bool> holds, int tests = 150) =>
        ForAny(Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), holds, tests);

    /// <summary>A law that answers whether it holds.</summary>
    public static void ForAny<T>(Arbitrary<T> worlds, Func<T, bool> holds, int tests = 150) => Check(Prop.ForAll(worlds, holds), tests);

    /// <summary>A law that says by an assertion where it fails; first in the worlds in which it once did.</summary>
    /// <param name="worlds">Any world.</param>
    /// <param name="holds">The law.</param>
    /// <param name="tests">So many worlds, shared among the seeds.</param>
    /// <param name="known">Worlds in which it failed once.</param>
    public static void ForAny<T>(Arbitrary<T> worlds, Action<T> holds, int tests = 150, IEnumerable<T>? known = null)
    {
        Assert.All(known ?? [], holds);
        Check(Prop.ForAll(worlds, holds), tests);
    }

    static void Check(Property law, int tests)
    {
        foreach (var seed in All)
        {
            Check(law, (tests + All.Length - 1) / All.Length, seed);
        }
    }

    static void Check(Property law, int tests, ulong seed)
    {
        try
        {
            FsCheck.Check.One(Config.QuickThrowOnFailure.WithMaxTest(tests).WithQuietOnSuccess(true).WithReplay(seed, Gamma), law);
        }
#pragma warning disable CA1031 // FsCheck throws a plain exception, and its text is what is told
        catch (Exception e)
        {
            Assert.Fail($"{Again(seed)}\n\n{WithoutOurPlace(e.Message)}");
        }
#pragma warning restore CA1031
    }

    static ImmutableArray<ulong> Read(string set) =>
        set == "today" ? [ulong.Parse(DateTime.UtcNow.ToString("yyyyMMdd", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture)]
            : [.. set.Split(',').SelectMany(part => part.Split('-') is [var from, var to] ? Range(One(from), One(to)) : [One(part)])];

    static IEnumerable<ulong> Range(ulong from, ulong to)
    {
        for (var seed = from; seed <= to; seed++)
        {
            yield return seed;
        }
    }

    static ulong One(string seed) => ulong.Parse(seed, NumberStyles.None, CultureInfo.InvariantCulture);

    static string Again(ulong seed) => string.Create(
        CultureInfo.InvariantCulture,
        $"A law fails with the seed {seed}. To run it again:\n  {Variable}={seed} dotnet test tests/Tpwatch.Tests "
            + $"--filter \"FullyQualifiedName~{Law()}\"");

    // Where in FsCheck it was found tells nothing.
    static string WithoutOurPlace(string message) =>
        string.Join('\n', message.Split('\n').Where(line => !line.StartsWith("   at ", StringComparison.Ordinal)));

    static string Law() =>
        TestContext.Current is { TestClass.TestClassName: { } type, TestMethod.MethodName: { } method } ? $"{type}.{method}" : "Properties";
}
