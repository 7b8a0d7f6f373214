using System.Collections.Immutable;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Tpwatch.Benchmarks.Recording;

/// <summary>How one recording was made, and what it shows.</summary>
internal sealed record RecordingEntry
{
    public required string Name { get; init; }

    /// <summary>The fixture's words.</summary>
    public required string Arguments { get; init; }

    /// <summary>What the process was told to count.</summary>
    public required int Processors { get; init; }

    public required string Runtime { get; init; }

    public required long Bytes { get; init; }

    public required string Verdict { get; init; }

    /// <summary>Gaps that fit, of those with a clock, and all.</summary>
    public required int Fits { get; init; }

    public required int Timed { get; init; }

    public required int Gaps { get; init; }
}

/// <summary><c>recordings.json</c> beside the recordings: one entry each, in order of name.</summary>
internal sealed record RecordingIndex(ImmutableArray<RecordingEntry> Recordings)
{
    public const string FileName = "recordings.json";

    public static RecordingIndex Read(string folder)
    {
        var file = Path.Combine(folder, FileName);
        return File.Exists(file) ? JsonSerializer.Deserialize(File.ReadAllText(file), RecordingJson.Default.RecordingIndex)! : new([]);
    }

    public RecordingIndex With(RecordingEntry entry) =>
        new([.. Recordings.Where(known => known.Name != entry.Name).Append(entry).OrderBy(known => known.Name, StringComparer.Ordinal)]);

    public void Write(string folder) =>
        File.WriteAllText(Path.Combine(folder, FileName), JsonSerializer.Serialize(this, RecordingJson.Default.RecordingIndex).ReplaceLineEndings("\n") + "\n");
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true)]
[JsonSerializable(typeof(RecordingIndex))]
internal sealed partial class RecordingJson : JsonSerializerContext;
