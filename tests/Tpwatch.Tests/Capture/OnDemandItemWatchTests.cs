using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Capture;

public sealed class OnDemandItemWatchTests
{
    [Fact]
    public async Task Asked_for_after_the_end_as_between_Ctrl_Z_and_fg_nothing_comes_of_it()
    {
        var later = new OnDemandItemWatch(null!, new WatchOptions(), CaptureDepth.Items);
        await later.DisposeAsync();

        later.Ask();

        Assert.Equal((true, false, null), (later.HasEnded, later.IsAsked, later.Remark));
    }
}
