using System.Globalization;
using FsCheck;
using FsCheck.Fluent;

namespace Tpwatch.Tests.Properties;

/// <summary>
/// Laws that hold in any world: checked in new worlds every day, all from one seed, which is the date (UTC) unless <c>TPWATCH_SEED</c> says
/// another, or a law says why it has one of its own. A law that fails names the seed and the line that runs it again, and the smallest
/// world in which it fails.
/// </summary>
static class Seeds
{
    const string Variable = "TPWATCH_SEED";

    /// <summary>Any odd number; the generator asks for one beside the seed.</summary>
    const ulong Gamma = 0x9E3779B97F4A7C15;

    static readonly ulong Seed =
        ulong.TryParse(Environment.GetEnvironmentVariable(Variable), NumberStyles.None, CultureInfo.InvariantCulture, out var set)
            ? set
            : ulong.Parse(DateTime.UtcNow.ToString("yyyyMMdd", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);

    /// <summary>A law about worlds that are made from a number, which says nothing when it is made smaller.</summary>
    public static void ForAnySeed(Func<int, bool> holds, int tests = 150) =>
        ForAny(Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), holds, tests);

    /// <summary>A law that answers whether it holds.</summary>
    public static void ForAny<T>(Arbitrary<T> worlds, Func<T, bool> holds, int tests = 150) => Check(Prop.ForAll(worlds, holds), tests);

    /// <summary>
    /// A law that says by an assertion where it fails; with a seed of its own where it is checked in the same worlds every day.
    /// </summary>
    public static void ForAny<T>(Arbitrary<T> worlds, Action<T> holds, int tests = 150, ulong? seed = null) =>
        Check(Prop.ForAll(worlds, holds), tests, seed);

    static void Check(Property law, int tests, ulong? own = null)
    {
        var seed = own ?? Seed;
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
