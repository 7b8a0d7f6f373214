#:property PublishAot=false
#:property ArtifactsPath=../artifacts/build
#:property NoWarn=CA1849;CA2007;CA1515

// Counts the results that `dotnet test --logger trx --results-directory artifacts/tests` has left. Fails when a test failed, when none
// passed, when a project is missing, and when more rows are void than bad luck explains. Words are the projects that must be there;
// without any it is each project of the solution that has tests. The last line is "N passed, N failed", whatever happened.
using System.Xml.Linq;

const string Results = "artifacts/tests";
// A line a row that a test could not judge, since the machine did not let it run: its name and why.
const string VoidRows = Results + "/void.txt";
const int MostVoidRows = 2;

Directory.SetCurrentDirectory(Path.Combine(AppContext.GetData("EntryPointFileDirectoryPath") as string ?? ".", ".."));
var runs = Directory.Exists(Results)
    ? Directory.GetFiles(Results, "*.trx", SearchOption.AllDirectories).Select(TestRun.Read).ToArray()
    : [];
var results = runs.SelectMany(run => run.Results).ToArray();
var passed = results.Count(result => result.Outcome == "Passed");
// A test that is skipped says why. One without a word runs only when it is asked for: `dotnet run build.cs -- long`.
var skipped = results.Where(result => result is { Outcome: "NotExecuted", Says: not "" }).ToArray();
var leftOut = results.Count(result => result is { Outcome: "NotExecuted", Says: "" });
var failed = results.Where(result => result.Outcome is not ("Passed" or "NotExecuted")).ToArray();
var voids = File.Exists(VoidRows) ? File.ReadAllLines(VoidRows).Where(line => line.Trim().Length > 0).ToArray() : [];

// Once more at the end: whoever keeps only the last lines of a long log still learns what failed.
string[] said =
[
    .. skipped.Select(result => $"skipped: {result.Name}: {result.Says}"),
    .. failed.Select(result => $"failed: {result.Name}: {result.Says}"),
    .. voids.Select(row => $"void: {row}"),
];
// On a build machine every tool a test wants gets installed; a skip there means that something went untested unnoticed.
var mustNotSkip = Environment.GetEnvironmentVariable("CI") == "true";
string[] wrong =
[
    .. (args is [] ? TestProjects() : args).Except(runs.SelectMany(run => run.Projects))
        .Select(project => $"missing: no results of {project} in {Results}"),
    .. runs.Where(run => run.WasBrokenOff).Select(run => $"missing: {run.File} was broken off before all tests had run"),
    .. mustNotSkip && skipped.Length > 0 ? ["CI=true: a skipped test fails the run."] : Array.Empty<string>(),
    .. voids.Length > MostVoidRows ? ["More rows are void than bad luck explains."] : Array.Empty<string>(),
];
foreach (var line in said.Concat(wrong))
    Console.WriteLine(line);
if (leftOut > 0)
    Console.WriteLine($"left out: {leftOut} that run only when asked for");
if (voids.Length > 0)
    Console.WriteLine($"void: {voids.Length} in all, at most {MostVoidRows}");
Console.WriteLine($"{passed} passed, {failed.Length} failed{(skipped.Length > 0 ? $", {skipped.Length} skipped" : "")}");
return passed > 0 && failed is [] && wrong is [] ? 0 : 1;

// The projects of the solution whose tests a whole run must have run.
static string[] TestProjects() =>
    [.. XDocument.Load("tpwatch.slnx").Descendants("Project").Select(project => (string)project.Attribute("Path")!)
        .Where(path => XDocument.Load(path).Descendants("IsTestProject").Any(element => element.Value == "true"))
        .Select(path => Path.GetFileNameWithoutExtension(path))];

/// <summary>The results of one run of tests, as the test platform's own file tells them.</summary>
sealed record TestRun(string File, string[] Projects, (string Name, string Outcome, string Says)[] Results, bool WasBrokenOff)
{
    const int MessageCharacters = 1_000;
    static readonly XNamespace Trx = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";

    public static TestRun Read(string file)
    {
        var root = XDocument.Load(file).Root!;
        (string Name, string Outcome, string Says)[] results = [.. root.Descendants(Trx + "UnitTestResult").Select(Result)];
        var allWell = results.All(result => result.Outcome is "Passed" or "NotExecuted");
        var outcome = (string?)root.Element(Trx + "ResultSummary")?.Attribute("outcome");
        return new(Path.GetFileName(file), [.. root.Descendants(Trx + "TestMethod").Select(Project).Distinct()],
            results, allWell && outcome != "Completed");
    }

    static (string Name, string Outcome, string Says) Result(XElement result)
    {
        var says = (result.Descendants(Trx + "ErrorInfo").FirstOrDefault() ?? result).Value.Trim();
        return ((string?)result.Attribute("testName") ?? "", (string?)result.Attribute("outcome") ?? "",
            says.Length <= MessageCharacters ? says : says[..MessageCharacters] + " ...");
    }

    static string Project(XElement method) => Path.GetFileNameWithoutExtension((string?)method.Attribute("codeBase") ?? "");
}
