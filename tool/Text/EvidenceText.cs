namespace Tpwatch.Text;

/// <summary>Evidence for people: rounded to its precision, in the vocabulary of the documentation.</summary>
static class EvidenceText
{
    /// <summary>From this value on, numbers are written without a decimal.</summary>
    const double Whole = 9.95;

    /// <summary>Text and value: <c>Longest queue: 22 items</c>; the text alone if there is no value.</summary>
    public static string Of(Evidence evidence) => Words.Known(evidence.Value) is { } value
        ? $"{Words.OneLine(evidence.Text)}{evidence.Joint}{Value(value, evidence)}"
        : Words.OneLine(evidence.Text);

    /// <summary>The value alone, with its unit; empty if there is no value.</summary>
    public static string Figure(Evidence evidence) => Words.Known(evidence.Value) is { } value ? Value(value, evidence) : "";

    /// <summary>The source of the evidence, in words for people.</summary>
    public static string Source(Evidence evidence) => Words.OneLine(evidence.Source) switch
    {
        "heartbeat" => "counter samples",
        "gap ledger" => "injection delays",
        "event 55" => "thread count adjustments",
        "event 59" or "configuration or event 59" => "settings",
        "event 31" or "events 30 and 31" => "events of work items",
        "stacks, event 81" => "stacks and lock events",
        "hindrances" => "state of the process",
        "memory" => "memory of the process",
        var other => other,
    };

    // An estimated duration is rounded to its precision.
    static string Value(double value, Evidence evidence) =>
        evidence is { Unit: "ms", IsEstimate: true } ? Format.Rough(value) : Value(value, evidence.Unit ?? "");

    static string Value(double value, string unit) => unit is "ms"
        ? Format.Duration(value)
        : unit is ['%', ..] ? $"{Number(value)}{unit}"
        : $"{Number(value)} {Unit(unit, Number(value) is "1" or "-1")}".TrimEnd();

    static string Number(double value) =>
        double.IsInteger(value) || Math.Abs(value) >= Whole ? Format.Count((long)Math.Round(value))
        : value is > 0 and < 0.1 ? "less than 0.1"
        : value.ToString("0.#", CultureInfo.InvariantCulture);

    static string Unit(string unit, bool one) => unit switch
    {
        "workers" or "worker" => one ? "worker thread" : "worker threads",
        "gaps" => one ? "injection delay" : "injection delays",
        "items" or "adjustments" or "injections" or "threads" or "times" when one => unit[..^1],
        _ => unit,
    };
}
