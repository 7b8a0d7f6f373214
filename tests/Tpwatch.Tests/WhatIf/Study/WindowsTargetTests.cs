using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.WhatIf.Study;

/// <summary>A capture from Windows is simulated by the clock of Windows, and told that this is an assumption.</summary>
public sealed class WindowsTargetTests
{
    [Theory]
    [InlineData("Windows", null, true)]
    [InlineData("Linux", null, false)]
    [InlineData(null, 15.625, true)]
    [InlineData(null, 4.0, false)]
    [InlineData(null, null, false)]
    public async Task The_clock_is_that_of_the_targets_system(string? os, double? stepMs, bool windows)
    {
        var seen = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        var study = WhatIfStudy.Of(seen with
        {
            Timeline = seen.Timeline with
            {
                Target = seen.Timeline.Target with { Os = os },
                Clock = stepMs is { } ms ? new(new EventTime(0), ms, ms, 0, ClockRegime.Idle) : null,
            },
        }, new EstimatedItems(), out _)!;
        var (answer, asked) = (study.Answer(new() { Min = 12 }), study.Answer(new() { Min = 12, WindowsClock = true }));

        Assert.False(answer.Change.WindowsClock);
        Assert.Equal(windows, answer.Simulated == asked.Simulated);
        Assert.Equal(windows, answer.Remarks.Any(r => r.StartsWith("The clock is an assumption: Windows", StringComparison.Ordinal)));
    }
}
