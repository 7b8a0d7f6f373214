using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>A gap code explained, whatever a capture says; printed by <c>rules</c>, in the catalogue and on the first page.</summary>
/// <param name="Mechanism">The code.</param>
/// <param name="Line">The rule of the runtime in one line.</param>
/// <param name="Text">The same at length.</param>
sealed record MechanismText(Mechanism Mechanism, string Line, FindingMeaning Text)
{
    /// <summary>How the code is written: <c>G7</c>.</summary>
    public string Code => FormattableString.Invariant($"G{(int)Mechanism}");
}
