using System.Text.Json.Serialization;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for a finding with its evidence and remedies.</summary>
sealed record FindingSection(
    string Id, string Title, string Severity, string Confidence, double From, double To, string Headline,
    IReadOnlyList<EvidenceSection> Evidence, IReadOnlyList<RemedySection> Remedies)
{
    /// <summary>Converts a finding of a report.</summary>
    public static FindingSection Of(Finding finding, TimelineSnapshot timeline) => new(
        finding.Id, finding.Title, Words.Of(finding.Severity), Words.Of(finding.Confidence),
        Numbers.At(timeline, finding.From), Numbers.At(timeline, finding.To), finding.Headline,
        [.. finding.Evidence.Select(e => new EvidenceSection(e.Text, Words.Known(e.Value), e.Unit, e.Source))],
        [.. finding.Remedies.Select(r => new RemedySection(Words.Of(r.Kind), r.Text, r.Setting))]);
}

/// <summary>A number that supports a finding.</summary>
sealed record EvidenceSection(string Text, double? Value, string? Unit, string Source);

/// <summary>A remedy, or the reason why more threads do not help; without a setting, the JSON has no such property.</summary>
sealed record RemedySection(
    string Kind, string Text, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Setting);
