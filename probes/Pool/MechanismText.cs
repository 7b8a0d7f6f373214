using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>The explanation of a code, independent of any capture; shown by <c>rules</c>, in the catalogue and on the first page.</summary>
/// <param name="Mechanism">The code.</param>
/// <param name="Line">The runtime's rule in one line.</param>
/// <param name="Text">The full explanation.</param>
sealed record MechanismText(Mechanism Mechanism, string Line, FindingMeaning Text)
{
    /// <summary>The code as text: <c>G7</c>.</summary>
    public string Code => FormattableString.Invariant($"G{(int)Mechanism}");
}
