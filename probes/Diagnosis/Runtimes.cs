using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The runtimes whose rules were checked.</summary>
static class Runtimes
{
    const int FirstChecked = 6;
    const int LastChecked = 10;

    /// <summary>Whether the target runs on a runtime whose rules were not checked or may differ.</summary>
    public static bool AreUnverified(TargetFacts target) => target.RuntimeMajor is < FirstChecked or > LastChecked;

    /// <summary>The remark for such a target.</summary>
    public static string Remark(TargetFacts target) =>
        $"tpwatch does not know the rules of .NET {target.RuntimeMajor}: it judges injection delays by those of "
        + $".NET {FirstChecked} to {LastChecked}";
}
