namespace Tpwatch.Reports;

/// <summary>The explanation of a finding's rule, independent of any capture; printed by <c>rules</c> and in the catalogue.</summary>
/// <param name="Gist">The runtime's behaviour, or the harm that it causes, in one sentence.</param>
/// <param name="More">Further sentences about this behaviour or harm.</param>
/// <param name="Needs">The data a capture must contain for the rule to decide.</param>
/// <param name="Remedy">The remedies: first for the cause, the workaround last.</param>
/// <param name="FalseAlarms">Conditions under which the rule reports a finding although nothing is wrong.</param>
sealed record FindingMeaning(string Gist, string More, string Needs, string Remedy, string FalseAlarms)
{
    /// <summary>The runtime's behaviour and the harm that it causes.</summary>
    public string Mechanism => $"{Gist} {More}".TrimEnd();
}
