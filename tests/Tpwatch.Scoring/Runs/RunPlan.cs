using Tpwatch.Fixtures.Options;

namespace Tpwatch.Scoring.Runs;

/// <summary>A run to be made: a row of the catalogues, on which runtime, beside what, and when somebody attaches.</summary>
/// <param name="Row">What of the catalogue.</param>
/// <param name="Runtime">On which runtime.</param>
sealed record RunPlan(ScenarioRow Row, TargetRuntime Runtime)
{
    /// <summary>For attaching, for the end of the process and for a machine that is busy.</summary>
    static readonly TimeSpan Reserve = TimeSpan.FromSeconds(90);

    /// <summary>The scenario and its options.</summary>
    public ImmutableArray<string> Words { get; init; } = Row.ShortWords;

    /// <summary>What tells it from the row's usual run; null where it is that.</summary>
    public string? Label { get; init; }

    /// <summary>What the process is to count.</summary>
    public int Processors { get; init; } = Row.Processors;

    /// <summary>Whether a busy neighbour has every processor meanwhile.</summary>
    public bool Loaded { get; init; }

    /// <summary>So long after the scenario began somebody attaches, milliseconds; null is before it.</summary>
    public int? LateMs { get; init; }

    /// <summary><c>pool-burst.net8</c>: the row's name and what is unusual about the run.</summary>
    public string Name =>
        string.Join('.', new[] { Row.Stem, Label, Suffix, LateMs is null ? null : "late", Loaded ? "loaded" : null }.OfType<string>());

    public string RuntimeName => Runtime switch
    {
        TargetRuntime.Net8 => ".NET 8",
        TargetRuntime.Net9 => ".NET 9",
        TargetRuntime.Net11 => ".NET 11",
        _ => ".NET 10",
    };

    /// <summary>Seconds after which the fixture ends by itself.</summary>
    public int Seconds => new OptionParser(Row.Scenario, Words[1..]).Parse().Values[CommonOptions.Seconds];

    /// <summary>Whether it is as large as the article's, so that the figures of a run with the defaults hold.</summary>
    public bool IsFull => Words.SequenceEqual(Row.FullWords);

    /// <summary>After so long something is wrong.</summary>
    public TimeSpan Limit => TimeSpan.FromSeconds(Seconds) + Reserve;

    string? Suffix => Runtime switch
    {
        TargetRuntime.Net8 => "net8",
        TargetRuntime.Net9 => "net9",
        TargetRuntime.Net11 => "net11",
        _ => null,
    };
}
