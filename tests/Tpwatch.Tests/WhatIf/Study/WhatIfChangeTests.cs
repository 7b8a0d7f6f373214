using Tpwatch.Pool;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.WhatIf.Study;

public sealed class WhatIfChangeTests
{
    static readonly PoolSettings Eight = new(8, 8, 1_000);

    [Fact]
    public void Min_follows_the_processors_only_where_it_was_their_number()
    {
        Assert.Equal(4, new WhatIfChange { Processors = 4 }.Applied(Eight).Min);
        Assert.Equal(20, new WhatIfChange { Processors = 4 }.Applied(Eight with { Min = 20 }).Min);
        Assert.Equal(4, new WhatIfChange { Processors = 4 }.Applied(Eight with { Min = 20, MinBasis = MinThreadsBasis.Refuted }).Min);
        Assert.Equal(6, new WhatIfChange { Processors = 4, Min = 6 }.Applied(Eight).Min);
    }

    [Fact]
    public void A_change_is_told_in_words()
    {
        Assert.Equal("MinThreads 100, MaxThreads 200, 4 processors, async instead of blocking",
            new WhatIfChange { Min = 100, Max = 200, Processors = 4, Async = true }.Words);
        Assert.Equal("the pool of .NET Framework 1.1, gate checks as on Windows (an assumption)",
            new WhatIfChange { Policy = PolicyKind.Clr11, WindowsClock = true }.Words);
        Assert.True(new WhatIfChange().IsNone);
        Assert.False(new WhatIfChange { WindowsClock = true }.IsNone);
    }

    [Theory]
    [InlineData(null, typeof(PortablePolicy))]
    [InlineData((int)PolicyKind.Portable, typeof(PortablePolicy))]
    [InlineData((int)PolicyKind.Native, typeof(NativePolicy))]
    [InlineData((int)PolicyKind.Clr35, typeof(NetFramework35Policy))]
    [InlineData((int)PolicyKind.Clr11, typeof(NetFramework11Policy))]
    [InlineData((int)PolicyKind.Rotor, typeof(RotorPolicy))]
    public void Each_name_stands_for_its_policy(int? kind, Type policy) =>
        Assert.IsType(policy, new WhatIfChange { Policy = (PolicyKind?)kind }.NewPolicy());
}
