namespace Tpwatch.Reports;

/// <summary>The explanation of a rule, independent of any capture; printed by <c>rules</c> and in the catalogue.</summary>
/// <param name="Mechanism">What the runtime does and why that causes harm.</param>
/// <param name="Needs">The data a capture must contain for the rule to decide.</param>
/// <param name="Remedy">The remedies: first for the cause, the workaround last.</param>
/// <param name="FalseAlarms">When the rule reports a finding although nothing is wrong.</param>
sealed record FindingMeaning(string Mechanism, string Needs, string Remedy, string FalseAlarms);
