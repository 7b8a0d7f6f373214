using System.Collections.Immutable;
using Tpwatch.Fixtures.Options;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>A run still to be made.</summary>
/// <param name="Row">What of the catalogue.</param>
/// <param name="Runtime">On which runtime.</param>
/// <param name="Words">The scenario and its options.</param>
internal sealed record PlannedRun(CatalogueRun Row, TargetRuntime Runtime, ImmutableArray<string> Words)
{
    /// <summary>For attaching, for the end of the process and for a machine that is busy.</summary>
    static readonly TimeSpan Reserve = TimeSpan.FromSeconds(90);

    /// <summary>How often it may be made before something is wrong.</summary>
    public int Attempts { get; init; } = 1;

    public string Name => Runtime == TargetRuntime.Net10 ? Row.Stem : $"{Row.Stem}, {RuntimeName}";

    public string RuntimeName => Runtime switch { TargetRuntime.Net8 => ".NET 8", TargetRuntime.Net9 => ".NET 9", _ => ".NET 10" };

    /// <summary>Seconds after which the fixture ends by itself.</summary>
    public int Seconds => new OptionParser(Row.Scenario, Words[1..]).Parse().Values[CommonOptions.Seconds];

    /// <summary>After so long something is wrong.</summary>
    public TimeSpan Limit => Attempts * (TimeSpan.FromSeconds(Seconds) + Reserve);
}
