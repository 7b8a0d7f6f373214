using FsCheck;
using FsCheck.Fluent;

namespace Tpwatch.Tests.Explain;

/// <summary>Properties that hold in any world that a seed makes; the same worlds each time, so that a failure can be looked at.</summary>
static class Seeds
{
    public static void ForAnySeed(Func<int, bool> holds, int tests = 150) => Check.One(
        Config.QuickThrowOnFailure.WithMaxTest(tests).WithQuietOnSuccess(true).WithReplay(1, 3),
        Prop.ForAll(Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), holds));
}
