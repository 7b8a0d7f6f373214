using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Tpwatch.Export;

/// <summary>
/// Renders the calls that block worker threads as a flame graph (speedscope format). A stack's width is its share of the samples.
/// </summary>
static class SpeedscopeRenderer
{
    const string Schema = "https://www.speedscope.app/file-format-schema.json";

    /// <summary>Returns the document as text; ends with a line break.</summary>
    /// <exception cref="UserErrorException">No stacks were taken.</exception>
    public static string Render(PoolReport report, string version)
    {
        if (report.Blockers is not { } blockers)
        {
            throw new UserErrorException(
                "no stacks were taken, so there is nothing to draw for speedscope", "use --depth stacks", ExitCode.Arguments);
        }

        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream, new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            Write(json, Words.OneLine(report.Timeline.Target.Name), version, blockers);
        }

        return Encoding.UTF8.GetString(stream.ToArray()) + "\n";
    }

    static void Write(Utf8JsonWriter json, string target, string version, ImmutableArray<Blocker> blockers)
    {
        var stacks = blockers.Select(b => b.Stack.IsEmpty ? [$"{b.Frame}"] : b.Stack.Reverse().ToArray()).ToList();
        var frames = stacks.SelectMany(s => s).Distinct().ToList();
        json.WriteStartObject();
        json.WriteString("$schema", Schema);
        json.WriteString("exporter", $"dotnet tpwatch {version}");
        json.WriteString("name", target);
        json.WriteNumber("activeProfileIndex", 0);
        json.WriteStartObject("shared");
        Each(json, "frames", frames, f =>
        {
            json.WriteStartObject();
            json.WriteString("name", Words.OneLine(f));
            json.WriteEndObject();
        });
        json.WriteEndObject();
        Each(json, "profiles", [blockers], _ => Profile(json, stacks.ConvertAll(s => Array.ConvertAll(s, frames.IndexOf)), blockers));
        json.WriteEndObject();
    }

    // The weight of a stack is its share of the samples of busy worker threads, in percent.
    static void Profile(Utf8JsonWriter json, List<int[]> stacks, ImmutableArray<Blocker> blockers)
    {
        var weights = blockers.Select(b => Math.Round(b.Share * 100, 2)).ToList();
        json.WriteStartObject();
        json.WriteString("type", "sampled");
        json.WriteString("name", "worker threads, percent of their samples");
        json.WriteString("unit", "none");
        json.WriteNumber("startValue", 0);
        json.WriteNumber("endValue", Math.Round(weights.Sum(), 2));
        Each(json, "samples", stacks, s =>
        {
            json.WriteStartArray();
            foreach (var frame in s)
            {
                json.WriteNumberValue(frame);
            }

            json.WriteEndArray();
        });
        Each(json, "weights", weights, w => json.WriteNumberValue(w));
        json.WriteEndObject();
    }

    static void Each<T>(Utf8JsonWriter json, string name, IEnumerable<T> items, Action<T> write)
    {
        json.WriteStartArray(name);
        foreach (var item in items)
        {
            write(item);
        }

        json.WriteEndArray();
    }
}
