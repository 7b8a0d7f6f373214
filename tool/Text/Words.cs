using System.Text.Json;

namespace Tpwatch.Text;

/// <summary>The words of enum values in all outputs; a contract with programs that read them.</summary>
static class Words
{
    /// <summary>The word of <see cref="DelayVerdict.AsExpected"/>, from before it was called so.</summary>
    const string Fits = "fits";

    /// <summary>The word of a value, such as <c>silentlyStarved</c> or <c>noRule</c>.</summary>
    public static string Of<T>(T value) where T : struct, Enum =>
        value is DelayVerdict.AsExpected ? Fits : JsonNamingPolicy.CamelCase.ConvertName(value.ToString());

    /// <summary>The code of a rule, such as <c>G1</c>; null for no rule.</summary>
    public static string? Code(Mechanism rule) => rule == Mechanism.None ? null : $"G{(int)rule}";

    /// <summary>The code of a rule for a column; empty for no rule.</summary>
    public static string CodeOrNothing(Mechanism rule) => Code(rule) ?? "";

    /// <summary>The value, or null for NaN and infinity.</summary>
    public static double? Known(double? value) => value is { } v && double.IsFinite(v) ? v : null;

    /// <summary>The process id; <c>?</c> if a recording does not contain it.</summary>
    public static string Pid(TargetFacts target) =>
        target.Pid == 0 ? "?" : target.Pid.ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>Whether it is known if items waited: not for an undecided capture without a counter sample.</summary>
    public static bool IsStarvingKnown(PoolReport report) =>
        report.StarvedMs > 0 || report.Verdict != Verdict.Undecided || !report.Timeline.CounterSamples.IsEmpty;

    /// <summary>Text on one line, blanks folded, control characters removed: text from a target must not break a line format.</summary>
    public static string OneLine(string text) =>
        string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)
            .Select(word => new string(word.Where(c => !char.IsControl(c)).ToArray())));
}
