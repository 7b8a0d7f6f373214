using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Findings;

/// <summary>Evidence supports what a finding says: it has a value, and what it counts was there.</summary>
public sealed class EvidenceTests
{
    /// <summary>Here the zero is what is said: nothing was added, nothing completed.</summary>
    static readonly string[] Zeros =
    [
        "Threads added later because of starvation", "Injection delays that no rule explains",
        "Injection delays earlier or later than the rules allow", "Net change of the target thread count by hill climbing alone",
        "Items completed while others waited", "Items completed, over the whole capture", "Worker threads while no item started",
        "Raises of the target thread count for task waits since then", "Threads added in that time",
    ];

    [Fact]
    public async Task No_finding_of_a_stored_run_has_evidence_without_a_value_or_of_nothing()
    {
        List<string> wrong = [];
        foreach (var name in TestRecordings.All)
        {
            var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
            wrong.AddRange(
                from finding in report.Findings
                from evidence in finding.Evidence
                where evidence.Value is null || (evidence.Value == 0 && !Zeros.Contains(evidence.Text))
                select $"{name}, {finding.Id}: {evidence.Text} is {evidence.Value} {evidence.Unit}");
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }
}
