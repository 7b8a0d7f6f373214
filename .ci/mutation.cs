#:property PublishAot=false
#:property ArtifactsPath=../artifacts/build
#:property NoWarn=CA1849;CA2007;CA1515;CA1305

// The two ends of a run of mutants by dotnet-stryker.
//   sample N SEED ROOM...   reads the list of mutants that a run without tests has left, draws places in the sources until N mutants of
//                           each room are drawn, and writes the configuration of the run that tries them
//   page N SEED ROOM...     reads the results of this run, and writes tests/MUTATION.md; fails when a room is below the goal
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

const string Report = "artifacts/mutation/reports/mutation-report.json";
const string Page = "tests/MUTATION.md";
const string Configuration = "tests/Mutation/stryker.json";
const string SampleFile = "artifacts/mutants.json";
// A line a mutant that may live, "file: before -> after: why". Without the number of its line, which every edit moves.
const string Justified = "tests/Mutation/justified.txt";
const double GoalPercent = 75;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
Directory.SetCurrentDirectory(Path.Combine(AppContext.GetData("EntryPointFileDirectoryPath") as string ?? ".", ".."));
if (args is not [var verb and ("sample" or "page"), var size, var seed, .. var rooms] || rooms.Length == 0)
{
    Console.Error.WriteLine("mutation.cs takes: sample|page N SEED ROOM...");
    return 3;
}

if (!File.Exists(Report))
{
    Console.Error.WriteLine($"No {Report}: the run of dotnet-stryker has not come to its end.");
    return 1;
}

var mutants = Read();
return verb == "sample" ? Sample() : Result();

Mutant[] Read()
{
    using var report = JsonDocument.Parse(File.ReadAllText(Report));
    return [.. report.RootElement.GetProperty("files").EnumerateObject().SelectMany(file => Mutant.Of(file.Name, file.Value))
        .Where(mutant => rooms.Contains(mutant.Room))];
}

// A place is a piece of source that one or more mutants replace; all of them are tried. What lies inside a drawn place is not drawn
// with it.
int Sample()
{
    var random = new Random(int.Parse(seed));
    List<string> patterns = [];
    foreach (var room in rooms)
    {
        var places = mutants.Where(mutant => mutant.Room == room && mutant.IsCandidate)
            .GroupBy(mutant => (mutant.File, mutant.From, mutant.To)).OrderBy(place => place.Key).ToArray();
        random.Shuffle(places);
        var drawn = 0;
        var chosen = places.TakeWhile(place => (drawn += place.Count()) - place.Count() < int.Parse(size)).ToArray();
        var within = places.Except(chosen).Select(place => place.Key)
            .Where(inner => chosen.Any(outer => outer.Key.File == inner.File && outer.Key.From <= inner.From && inner.To <= outer.Key.To));
        patterns.AddRange(chosen.Select(place => Pattern(place.Key)).Concat(within.Select(inner => "!" + Pattern(inner))));
        Console.WriteLine($"{room}: {chosen.Sum(place => place.Count())} of {places.Sum(place => place.Count())} mutants drawn, "
            + $"at {chosen.Length} of {places.Length} places");
    }

    var configuration = JsonNode.Parse(File.ReadAllText(Configuration))!;
    configuration["stryker-config"]!["mutate"] = new JsonArray([.. patterns.Select(pattern => JsonValue.Create(pattern))]);
    File.WriteAllText(SampleFile, configuration.ToJsonString());
    return 0;
}

int Result()
{
    var from = $"{Git("rev-parse --short HEAD")}{(Git("status --porcelain probes tests/Tpwatch.Tests") == "" ? "" : " with changes")}";
    var reasons = File.ReadAllLines(Justified).Where(line => line.Trim().Length > 0).ToArray();
    var tried = mutants.Where(mutant => mutant.IsTried).ToArray();
    if (tried is [])
    {
        Console.Error.WriteLine($"No mutant in {string.Join(' ', rooms)} was tried.");
        return 1;
    }

    if (!tried.Any(mutant => mutant.IsKilled))
    {
        Console.Error.WriteLine($"None of {tried.Length} mutants was noticed: the tests never ran with one. The page stays as it was.");
        return 1;
    }

    var rows = rooms.Select(room => new RoomResult(room, [.. mutants.Where(mutant => mutant.Room == room)])).ToArray();
    File.WriteAllLines(Page,
    [
        "# Mutants",
        "",
        "How many small changes of the engine the fast tests notice. Made by dotnet-stryker on a random sample, and written by",
        "",
        $"    dotnet run build.cs -- mutate {size} {seed} {string.Join(' ', rooms)}",
        "",
        $"At least {size} mutants of each room, drawn with the seed {seed}; commit {from}, {DateTime.UtcNow:yyyy-MM-dd}.",
        "Changes of texts and of calls on lists are left out: the program takes the limits `Min` and `Max` of the pool for such calls.",
        "Where a change does not compile and the program cannot tell which, it gives up all changes of the method around it; these",
        "could not be drawn. Not all fast tests are asked: only examples of the rooms, no law, stored recording, golden page or",
        "picture, which take fifty times as long; what one of those alone would notice counts as lived. \"Not ended\" are mutants",
        "whose tests did not come to an end in time; they count as noticed. Nothing is taken off for a survivor that has a reason.",
        $"The range is that of 95 % (Wilson). The goal is {GoalPercent} % in each room.",
        "",
        "| room | drawn of | noticed | of these not ended | lived | score | range | goal |",
        "|---|---|---|---|---|---|---|---|",
        .. rows.Select(row => row.Line(GoalPercent)),
        "",
        "## Survivors",
        "",
        "| where | change | why it may live |",
        "|---|---|---|",
        .. tried.Where(mutant => !mutant.IsKilled).OrderBy(mutant => (mutant.File, mutant.Line))
            .Select(mutant => $"| `{mutant.File}:{mutant.Line}` | {Cell(mutant.Change)} | {Cell(Why(mutant, reasons))} |"),
    ]);
    foreach (var row in rows)
        Console.WriteLine(row.Line(GoalPercent));
    return rows.All(row => row.Percent >= GoalPercent) ? 0 : 1;
}

static string Why(Mutant mutant, string[] reasons)
{
    var key = $"{mutant.File}: {mutant.Change}: ";
    return reasons.FirstOrDefault(line => line.StartsWith(key, StringComparison.Ordinal))?[key.Length..] ?? "";
}

static string Pattern((string File, int From, int To) place) => $"**/probes/{place.File}{{{place.From}..{place.To}}}";
static string Cell(string text) => text.Replace("|", @"\|").Replace("<", "&lt;");

static string Git(string arguments)
{
    using var git = Process.Start(new ProcessStartInfo("git", arguments) { RedirectStandardOutput = true })!;
    var said = git.StandardOutput.ReadToEnd().Trim();
    git.WaitForExit();
    return said;
}

/// <summary>One change of one place of the sources, and what became of it.</summary>
/// <param name="File">Below probes: the room and the file.</param>
/// <param name="From">Offset of the first character that is replaced.</param>
/// <param name="To">Offset behind the last one.</param>
sealed record Mutant(string File, int From, int To, int Line, string Change, string Kind, string Status)
{
    public string Room => File.Split('/')[0];

    public bool IsKilled => Status is "Killed" or "Timeout";

    public bool IsTried => IsKilled || Status is "Survived" or "NoCoverage";

    /// <summary>Whether it compiles, and is of a kind that is tried.</summary>
    public bool IsCandidate => Status != "CompileError" && !Kind.StartsWith("String", StringComparison.Ordinal)
        && !Kind.StartsWith("Linq", StringComparison.Ordinal);

    public static IEnumerable<Mutant> Of(string path, JsonElement file)
    {
        var name = path[(path.IndexOf("probes/", StringComparison.Ordinal) + "probes/".Length)..];
        var source = file.GetProperty("source").GetString()!;
        List<int> begins = [0, .. source.Index().Where(c => c.Item == '\n').Select(c => c.Index + 1)];
        int Number(JsonElement location, string end, string what) => location.GetProperty(end).GetProperty(what).GetInt32();
        int Offset(JsonElement location, string end) => begins[Number(location, end, "line") - 1] + Number(location, end, "column") - 1;
        foreach (var mutant in file.GetProperty("mutants").EnumerateArray())
        {
            var location = mutant.GetProperty("location");
            var (from, to) = (Offset(location, "start"), Offset(location, "end"));
            yield return new(name, from, to, location.GetProperty("start").GetProperty("line").GetInt32(),
                $"{Short(source[from..to])} -> {Short(mutant.GetProperty("replacement").GetString() ?? "")}",
                mutant.GetProperty("mutatorName").GetString()!, mutant.GetProperty("status").GetString()!);
        }
    }

    // A whole method that was emptied need not be repeated in the table.
    static string Short(string code)
    {
        const int Characters = 90;
        var line = Regex.Replace(code, @"\s+", " ").Trim();
        return line.Length <= Characters ? line : line[..Characters] + " ...";
    }
}

/// <summary>The mutants of one room, drawn or not.</summary>
sealed record RoomResult(string Room, Mutant[] All)
{
    Mutant[] Tried { get; } = [.. All.Where(mutant => mutant.IsTried)];

    int Killed => Tried.Count(mutant => mutant.IsKilled);

    public double Percent => 100.0 * Killed / Tried.Length;

    public string Line(double goal)
    {
        var (low, high) = Wilson(Killed, Tried.Length);
        return $"| `{Room}` | {Tried.Length} of {All.Count(mutant => mutant.IsCandidate)} | {Killed} | "
            + $"{Tried.Count(mutant => mutant.Status == "Timeout")} | {Tried.Length - Killed} | {Percent:0} % | {low:0} to {high:0} % | "
            + $"{(Percent >= goal ? "met" : "**missed**")} |";
    }

    // E. B. Wilson, "Probable inference", Journal of the American Statistical Association 22 (1927), per cent.
    static (double Low, double High) Wilson(int hits, int of)
    {
        const double Z = 1.96;
        var p = (double)hits / of;
        var middle = p + Z * Z / (2 * of);
        var half = Z * Math.Sqrt(p * (1 - p) / of + Z * Z / (4.0 * of * of));
        var scale = 100 / (1 + Z * Z / of);
        return ((middle - half) * scale, (middle + half) * scale);
    }
}
