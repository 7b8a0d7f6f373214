using System.Collections.Immutable;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Stacks.Holders;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Findings;

/// <summary>Where stacks were taken, no text tells to take them, whatever they showed.</summary>
public sealed class StacksWereTakenTests
{
    static readonly ImmutableArray<string> Tells = ["--depth stacks", "take stacks", "dotnet-stack", "stacks of the workers"];

    public static TheoryData<string> Recordings => [.. TestRecordings.All];

    [Theory]
    [MemberData(nameof(Recordings))]
    public async Task No_text_of_a_stored_run_tells_to_take_them(string name)
    {
        var seen = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        SampledStack[][] shown = [[], [Sampled.Idle(1)], [Sampled.At(1, Sampled.Task)], [Sampled.At(1, Sampled.Lock)]];
        foreach (var stacks in shown)
        {
            var burst = Sampled.Burst(0, stacks) with { At = seen.Timeline.Now };
            var report = ReportBuilder.Of(Deepened.WithStacks(seen, new([burst], [])));
            Assert.DoesNotContain(Texts(report), text => Tells.Any(tell => text.Contains(tell, StringComparison.Ordinal)));
        }
    }

    static IEnumerable<string> Texts(PoolReport report) =>
    [
        report.Headline, .. report.Undecided.Select(u => u.Missing),
        .. report.Findings.SelectMany(f => f.Remedies.Select(r => r.Text).Concat(f.Evidence.Select(e => e.Text)).Append(f.Headline)),
    ];
}
