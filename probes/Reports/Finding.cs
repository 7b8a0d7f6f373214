using System.Collections.Immutable;
using Tpwatch.Basics;

namespace Tpwatch.Reports;

/// <summary>How serious a finding is.</summary>
public enum Severity
{
    /// <summary>Worth knowing.</summary>
    Note,

    /// <summary>Worth acting.</summary>
    Warning,

    /// <summary>Act now.</summary>
    Serious,
}

/// <summary>How sure a finding is.</summary>
public enum Confidence
{
    /// <summary>A guess with reasons.</summary>
    Low,

    /// <summary>Likely.</summary>
    Medium,

    /// <summary>Follows from what was seen.</summary>
    High,
}

/// <summary>A number that supports a finding.</summary>
public sealed record Evidence(string Text, double? Value, string? Unit, string Source)
{
    /// <summary>Digits after the point that say something of a number of this size: four in all.</summary>
    static int Digits(double value) => Math.Abs(value) switch { >= 1000 => 0, >= 100 => 1, >= 10 => 2, _ => 3 };

    /// <summary>The number, to four digits: more would be noise of the arithmetic.</summary>
    public double? Value { get; } = Value is { } value ? Math.Round(value, Digits(value)) : null;
}

/// <summary>Something to do; <paramref name="Setting"/> is the exact spelling where it is a setting.</summary>
public sealed record Remedy(string Text, string? Setting = null);

/// <summary>Something that is wrong, why, and what to do.</summary>
public sealed record Finding(
    string Id, string Title, Severity Severity, Confidence Confidence, EventTime From, EventTime To, string Headline,
    ImmutableArray<Evidence> Evidence, ImmutableArray<Remedy> Remedies);

/// <summary>
/// The same arrivals under other settings: what is changed, what comes of it, from what that is computed and how far it can be trusted.
/// </summary>
public sealed record WhatIfEffect(string Change, string Effect, string Basis, string Uncertainty)
{
    /// <summary>Why there is no answer; then there is no effect. Null where there is one.</summary>
    public string? Unknown { get; init; }
}

/// <summary>A rule that lacks something to decide.</summary>
public sealed record Undecided(string Id, string Missing);
