using System.Collections.Immutable;
using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Running;
using Tpwatch.Fixtures.Scenarios;

namespace Tpwatch.Tests.Fixtures;

/// <summary>What the runtime reads only as it starts, in the spelling in which it reads it.</summary>
public sealed class RestartTests
{
    [Fact]
    public void A_forced_max_is_hexadecimal_and_lies_above_the_processors() =>
        Assert.Equal<RuntimeVariable>(
            [new("DOTNET_PROCESSOR_COUNT", "8"), new("DOTNET_ThreadPool_ForceMaxWorkerThreads", "12")],
            Needs(new Ceiling(), "--processors", "8", "--above", "10"));

    [Fact]
    public void An_idle_time_is_decimal_and_the_runtimes_own_needs_no_setting()
    {
        Assert.Equal<RuntimeVariable>([new("DOTNET_ThreadPool_ThreadTimeoutMs", "1500")], Needs(new IdleTimeout(), "--timeout", "1500"));
        Assert.Empty(Needs(new IdleTimeout()));
    }

    [Fact]
    public void The_scenario_about_one_processor_has_the_last_word_on_their_number() =>
        Assert.Equal<RuntimeVariable>([new("DOTNET_PROCESSOR_COUNT", "1")], Needs(new OneProcessor(), "--processors", "8"));

    [Fact]
    public void A_program_that_needs_nothing_is_not_started_again() => Assert.Empty(Needs(new PoolBurst()));

    static ImmutableArray<RuntimeVariable> Needs(IScenario scenario, params string[] words) =>
        Restart.Needs(new OptionParser(scenario, words).Parse());
}
