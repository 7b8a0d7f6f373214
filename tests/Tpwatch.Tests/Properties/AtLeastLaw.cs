using System.Globalization;
using System.Text.RegularExpressions;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Tests.Properties.Generators;
using Tpwatch.Watch;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>Whatever a report says of a wait with the words "at least" is true.</summary>
public sealed partial class AtLeastLaw
{
    const int BeatsBetweenReports = 3;

    [Fact]
    public void No_sentence_says_at_least_of_more_than_the_longest_wait()
    {
        var said = 0;
        ForAny(PoolWorlds.Flat, world =>
        {
            var life = PoolLife.Of(world);
            var fold = new PoolFold(life.Target, SessionSource.Live);
            var (sink, samples) = (fold.Sink(), 0);
            foreach (var fact in life.Facts)
            {
                sink.Tell(fact);
                if (fact is CountersRead && ++samples % BeatsBetweenReports == 0)
                {
                    said += Check(fold.Report(SessionEnd.StillOpen), life);
                }
            }
        }, tests: 200);
        Assert.True(said > 50, $"only {said} sentences say it: the law says little");
    }

    static int Check(PoolReport report, PoolLife life)
    {
        var longest = life.LongestWaitMs(0, Watcher.Ms(report.Timeline.Now));
        var said = Sentences(report)
            .SelectMany(sentence => AtLeast().Matches(sentence).Select(match => (sentence, Said: Duration(match)))).ToArray();
        Assert.All(said, claim => Assert.True(
            claim.Said.LeastMs <= longest, FormattableString.Invariant($"the longest wait is {longest:0} ms: {claim.sentence}")));
        return said.Length;
    }

    static IEnumerable<string> Sentences(PoolReport report) =>
        report.InjectionDelays.Select(delay => delay.Because).Concat(report.Findings
            .Select(finding => finding.Headline)).Append(report.Headline);

    [GeneratedRegex(@"at least (?<number>[\d.]+) (?<unit>ms|s)\b")]
    private static partial Regex AtLeast();

    static (double LeastMs, string Text) Duration(Match match)
    {
        var (number, unit) = (match.Groups["number"].Value, match.Groups["unit"].Value == "s" ? 1000 : 1);
        // It is told rounded.
        var digits = number.IndexOf('.', StringComparison.Ordinal) is >= 0 and var point ? number.Length - point - 1 : 0;
        var doubt = 0.5 * Math.Pow(10, -digits) * unit;
        return (double.Parse(number, CultureInfo.InvariantCulture) * unit - doubt - 0.5, match.Value);
    }
}
