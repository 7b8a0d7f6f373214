namespace Tpwatch.Reports;

/// <summary>A rule explained, whatever a capture says; printed by <c>rules</c> and in the catalogue.</summary>
/// <param name="Mechanism">What the runtime does and why that hurts.</param>
/// <param name="Needs">What a capture must hold for the rule to decide.</param>
/// <param name="Remedy">What to do, the cause first and the stopgap last.</param>
/// <param name="FalseAlarms">When it speaks although nothing is wrong.</param>
sealed record FindingMeaning(string Mechanism, string Needs, string Remedy, string FalseAlarms);
