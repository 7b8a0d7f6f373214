using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Findings;

/// <summary>Evidence supports what a finding says: it has a value, and what it counts was there.</summary>
public sealed class EvidenceTests
{
    /// <summary>Here the zero is what is said: the burst was over before starvation was found, and no delay went unexplained.</summary>
    static readonly string[] Zeros =
    [
        "Threads added later because of starvation", "Injection delays that no rule explains",
        "Injection delays earlier or later than the rules allow",
    ];

    [Fact]
    public async Task No_finding_of_a_stored_run_has_evidence_without_a_value_or_of_nothing()
    {
        foreach (var name in TestRecordings.All)
        {
            var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
            foreach (var (finding, evidence) in report.Findings.SelectMany(f => f.Evidence.Select(e => (f, e))))
            {
                Assert.True(evidence.Value is not null, $"{name}, {finding.Id}: {evidence.Text} has no value");
                Assert.False(evidence.Value == 0 && !Zeros.Contains(evidence.Text),
                    $"{name}, {finding.Id}: {evidence.Text} is 0 {evidence.Unit}");
            }
        }
    }
}
