#:property PublishAot=false
#:property ArtifactsPath=../artifacts/build
#:property NoWarn=CA1849;CA2007;CA1515;CA1305

// Reads the report that dotnet-stryker has left and writes it into tests/MUTATION.md: a row a file, a row a mutant that lived. Rows of
// files that this run did not measure stay, with the commit they are from. Words are the folders or files of probes that were
// measured. Fails when one of their folders is below the goal, or when nothing was measured.
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

const string Report = "artifacts/mutation/reports/mutation-report.json";
const string Page = "tests/MUTATION.md";
// A line a mutant that may live, "file: before -> after: why". Without the number of its line, which every edit moves.
const string Justified = "tests/Mutation/justified.txt";
const double GoalPercent = 75;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
Directory.SetCurrentDirectory(Path.Combine(AppContext.GetData("EntryPointFileDirectoryPath") as string ?? ".", ".."));
if (!File.Exists(Report))
{
    Console.Error.WriteLine($"No {Report}: the run of dotnet-stryker has not come to its end.");
    return 1;
}

using var report = JsonDocument.Parse(File.ReadAllText(Report));
MeasuredFile[] measured = [.. report.RootElement.GetProperty("files").EnumerateObject()
    .Where(file => args.Any(word =>
        $"/{file.Name}".Contains($"/probes/{word}{(word.EndsWith(".cs", StringComparison.Ordinal) ? "" : "/")}", StringComparison.Ordinal)))
    .Select(file => MeasuredFile.Read(file.Name, file.Value))
    .Where(file => file.Tried > 0).OrderBy(file => file.Name, StringComparer.Ordinal)];
if (measured is [])
{
    Console.Error.WriteLine($"{Report} has no mutant in {string.Join(' ', args)} that a test was asked about.");
    return 1;
}

var from = $"{Git("rev-parse --short HEAD")}{(Git("status --porcelain probes tests/Tpwatch.Tests") == "" ? "" : " + edits")}";
var day = DateTime.UtcNow.ToString("yyyy-MM-dd");
var reasons = File.ReadAllLines(Justified).Where(line => line.Trim().Length > 0).ToArray();
string[] kept = [.. (File.Exists(Page) ? File.ReadAllLines(Page) : []).Where(line => line.StartsWith("| `", StringComparison.Ordinal)
    && !measured.Any(file => line.StartsWith($"| `{file.Name}", StringComparison.Ordinal)))];
string[] files = [.. kept.Where(IsFile), .. measured.Select(file =>
    $"| `{file.Name}` | {file.Killed} | {file.Lived.Length} | {file.NotCompiled} | {Percent(file.Killed, file.Tried)} | {from}, {day} |")];
string[] lived = [.. kept.Where(line => !IsFile(line)), .. measured
    .SelectMany(file => file.Lived.Select(mutant => $"| `{file.Name}:{mutant.Line}` | {Cell(mutant.Change)} | {Why(file, mutant)} |"))];
var folders = files.GroupBy(Folder).OrderBy(folder => folder.Key, StringComparer.Ordinal).Select(Summary).ToArray();

File.WriteAllLines(Page,
[
    "# Mutants",
    "",
    "How many small changes of `probes` the examples in `tests/Tpwatch.Tests` notice. Made by dotnet-stryker; written by",
    "",
    "    dotnet run build.cs -- mutate Pool",
    "",
    $"Words are folders or files of `probes`; the step fails when a folder is below {GoalPercent} %. "
        + "Only the rows of what is measured are",
    "written anew. Changes of texts and of calls on lists are left out: the program takes the limits `Min` and `Max` of the pool for such",
    "calls. Where a change does not compile and the program cannot tell which, it gives up all changes of the method around it; they are",
    "counted as not compiled. The score is what was noticed of what compiled, with nothing taken off for a survivor that has a reason.",
    "Laws, recordings and pages are not asked, since they take ten times as long as the examples (95 s and 10 s on a busy machine).",
    "",
    "| folder | noticed | lived | score | not measured |",
    "| --- | --- | --- | --- | --- |",
    .. folders.Select(folder => $"| {folder.Name} | {folder.Killed} | {folder.Lived} | "
        + $"{Percent(folder.Killed, folder.Killed + folder.Lived)} | {folder.Missing} |"),
    "",
    "| file | noticed | lived | not compiled | score | commit, day |",
    "| --- | --- | --- | --- | --- | --- |",
    .. files.Order(StringComparer.Ordinal),
    "",
    "## Survivors",
    "",
    "The reasons stand in `tests/Mutation/justified.txt`; a survivor without one is a test that is missing.",
    "",
    "| where | change | why it may live |",
    "| --- | --- | --- |",
    .. lived.Order(StringComparer.Ordinal),
]);
var asked = folders.Where(folder => args.Any(word => word.Split('/')[0] == folder.Name)).ToArray();
foreach (var folder in asked)
    Console.WriteLine(
        $"{folder.Name}: {folder.Killed} noticed, {folder.Lived} lived, {Percent(folder.Killed, folder.Killed + folder.Lived)}");
return asked.All(folder => 100.0 * folder.Killed >= GoalPercent * (folder.Killed + folder.Lived)) ? 0 : 1;

string Why(MeasuredFile file, Mutant mutant)
{
    var key = $"{file.Name}: {mutant.Change}: ";
    return Cell(reasons.FirstOrDefault(line => line.StartsWith(key, StringComparison.Ordinal))?[key.Length..]
        ?? (mutant.Reached ? "" : "no example reaches it"));
}

(string Name, int Killed, int Lived, string Missing) Summary(IGrouping<string, string> folder)
{
    // What holds only values has nothing to change; a file that has no mutant is not told from one that was not run.
    var missing = Directory.GetFiles($"probes/{folder.Key}", "*.cs").Select(Path.GetFileName).Order(StringComparer.Ordinal)
        .Where(file => !folder.Any(row => row.StartsWith($"| `{folder.Key}/{file}`", StringComparison.Ordinal)));
    return (folder.Key, folder.Sum(row => Number(row, 2)), folder.Sum(row => Number(row, 3)), string.Join(", ", missing));
}

static bool IsFile(string row) => Regex.IsMatch(row, @"^\| `[^`:]+` ");
static string Folder(string row) => Regex.Match(row, "`([^/]+)/").Groups[1].Value;
static int Number(string row, int cell) => int.Parse(row.Split('|')[cell].Trim());
static string Percent(int part, int of) => $"{100.0 * part / of:0} %";
static string Cell(string text) => text.Replace("|", @"\|").Replace("<", "&lt;");

static string Git(string arguments)
{
    using var git = Process.Start(new ProcessStartInfo("git", arguments) { RedirectStandardOutput = true })!;
    var said = git.StandardOutput.ReadToEnd().Trim();
    git.WaitForExit();
    return said;
}

/// <summary>A change that no test noticed.</summary>
sealed record Mutant(int Line, string Change, bool Reached);

/// <summary>What became of the mutants of one file; the name is the one under probes.</summary>
sealed record MeasuredFile(string Name, int Killed, int NotCompiled, Mutant[] Lived)
{
    public int Tried => Killed + Lived.Length;

    public static MeasuredFile Read(string path, JsonElement file)
    {
        var lines = file.GetProperty("source").GetString()!.Split('\n');
        var mutants = file.GetProperty("mutants").EnumerateArray().ToLookup(mutant => mutant.GetProperty("status").GetString()!);
        return new(path[(path.IndexOf("probes/", StringComparison.Ordinal) + "probes/".Length)..],
            mutants["Killed"].Count() + mutants["Timeout"].Count(), mutants["CompileError"].Count(),
            [.. mutants["Survived"].Select(mutant => Survivor(mutant, lines, true)),
                .. mutants["NoCoverage"].Select(mutant => Survivor(mutant, lines, false))]);
    }

    static Mutant Survivor(JsonElement mutant, string[] lines, bool reached)
    {
        var (start, end) = (mutant.GetProperty("location").GetProperty("start"), mutant.GetProperty("location").GetProperty("end"));
        var (first, last) = (start.GetProperty("line").GetInt32(), end.GetProperty("line").GetInt32());
        var before = string.Join('\n', lines[(first - 1)..last]);
        var tail = lines[last - 1].Length - (end.GetProperty("column").GetInt32() - 1);
        before = before[(start.GetProperty("column").GetInt32() - 1)..Math.Max(0, before.Length - tail)];
        return new(first, $"{Short(before)} -> {Short(mutant.GetProperty("replacement").GetString() ?? "")}", reached);
    }

    // A whole method that was emptied need not be repeated in the table.
    static string Short(string code)
    {
        const int Characters = 90;
        var line = Regex.Replace(code, @"\s+", " ").Trim();
        return line.Length <= Characters ? line : line[..Characters] + " ...";
    }
}
