using Tpwatch.Lab.Screen;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Scores;

/// <summary>The long recording that memory is measured on is one that a reader takes for real.</summary>
public sealed class DayRecordingTests
{
    [Fact]
    public async Task A_recording_that_is_repeated_says_the_same_each_time_and_nothing_of_it_is_lost()
    {
        using var folder = new TempFolder();
        var once = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        var times = DayRecording.Write(TestRecordings.File("pool-burst"), folder["day.nettrace"], TimeSpan.FromMinutes(1));
        var often = await TestRecordings.ReplayAsync(folder["day.nettrace"]);
        Assert.InRange(times, 2, 10);
        Assert.Equal((0, once.Timeline.Quality.Events * times), (often.Timeline.Quality.Lost, often.Timeline.Quality.Events));
        Assert.InRange(often.Timeline.Now.MsSince(often.Timeline.Start), 55_000, 90_000);
        Assert.All(once.Adjustments, a => Assert.Equal(a.Value * times, often.Adjustments[a.Key]));
    }
}
