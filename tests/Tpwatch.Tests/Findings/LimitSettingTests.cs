using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Findings;

/// <summary>A limit is told as forced where the runtime accepts it, and only spellings are offered that would count.</summary>
public sealed class LimitSettingTests
{
    const string Variable = "DOTNET_ThreadPool_ForceMinWorkerThreads";
    const string Largest = "DOTNET_ThreadPool_ForceMaxWorkerThreads";
    const string Entry = "System.Threading.ThreadPool.MinThreads";

    [Theory]
    [InlineData("20", true)]
    [InlineData("0x20", true)]
    [InlineData("0", false)]
    [InlineData("many", false)]
    [InlineData("FFFFF", false)]
    public void What_the_runtime_ignores_forces_nothing(string value, bool forces)
    {
        var target = Target((Variable, value));
        Assert.Equal(forces, LimitSetting.Forced("Min", target) is not null);
        Assert.Equal(forces, LimitSetting.InForce("Min", target).Length > 0);
        Assert.Equal(!forces, LimitSetting.Min(40, target).Contains("SetMinThreads", StringComparison.Ordinal));
    }

    [Fact]
    public void A_max_below_the_min_makes_both_of_no_account()
    {
        var target = Target((Variable, "20"), (Largest, "10"));
        Assert.Null(LimitSetting.Forced("Min", target));
        Assert.Null(LimitSetting.Forced("Max", target));
        Assert.NotNull(LimitSetting.Forced("Max", Target((Variable, "10"), (Largest, "20"))));
    }

    [Fact]
    public void A_max_below_the_processors_is_forced_though_its_number_is_not() =>
        Assert.Equal(Largest, LimitSetting.Forced("Max", Target((Largest, "1")))?.Name);

    [Theory]
    [InlineData("20")]
    [InlineData("0")]
    public void An_entry_that_a_variable_hides_is_not_offered(string variable)
    {
        Assert.DoesNotContain(Entry, LimitSetting.Min(40, Target((Variable, variable))), StringComparison.Ordinal);
        Assert.Contains("ForceMinWorkerThreads=0x28 (hexadecimal for 40)", LimitSetting.Min(40, Target((Variable, variable))),
            StringComparison.Ordinal);
        Assert.Contains(Entry, LimitSetting.Min(40, Target((Entry, "20"))), StringComparison.Ordinal);
    }

    static TargetFacts Target(params (string Name, string Value)[] set) => new()
    {
        Pid = 1,
        Name = "shop",
        Settings = [.. set.Select(s =>
            new PoolSetting(s.Name, s.Value, s.Name == Entry ? SettingSource.Runtimeconfig : SettingSource.Environment))],
    };
}
