#:property PublishAot=false
#:property ArtifactsPath=artifacts/build
#:property NoWarn=CA1849;CA2007;CA1515

// The steps of the build, in order: `dotnet run build.cs` runs them all, `dotnet run build.cs -- pack smoke` some.
// A program rather than a script: nothing but the SDK is sure to be there.
using System.ComponentModel;
using System.Diagnostics;
using System.Security.Cryptography;
using System.Text.Json;
using System.Text.RegularExpressions;

const string Packages = "artifacts/package/release";
const string TestResults = "artifacts/tests";
const string SmokeTools = "artifacts/smoke";
// What no trimmer has seen.
const string WholeTool = "artifacts/bin/Tpwatch.Tool/release/dotnet-tpwatch.dll";
const string TrimmedFiles = "artifacts/trimmed";
const string BenchTools = "artifacts/bench";
const string Published = "artifacts/publish/linux-x64";
const string PublishedFile = $"{Published}/dotnet-tpwatch";
// Its own: another build beside it, of the fixtures for .NET 8 say, would make the trimmer look at everything again.
const string PublishBuild = "artifacts/targets/file";
const string Recording = "tests/Recordings/pool-burst.nettrace";
// A tool is fetched over slow links in the middle of an incident.
const double PackageLimitMegabytes = 12;
const double FileLimitMegabytes = 45;
// One for each kind of machine, `any`, and the one that names them.
const int ToolPackages = 7;

// One line a command: what is typed after `dotnet-tpwatch`, the exit code, and what standard output must contain.
// {recording} and {verdict} stand for one recording of each verdict in turn; the fast tests read all of them.
// {fixtures} are those of the package.
(string Arguments, int Exit, string Says)[] smokes =
[
    ("--version", 0, @"^\d+\.\d+\.\d+"),
    ("--help", 0, "tpwatch"),
    ("ps", 0, "pid"),
    ("report {recording} --format json", 0, """
        "verdict":\s*"{verdict}"
        """),
    ($"report {Recording} --format html", 0, "<!doctype html>"),
    ($"report {Recording} --fail-on starvation", 10, "STARVED"),
    ($"compare {Recording} {Recording}", 0, "THE SAME"),
    ("completion bash", 0, "complete -o default"),
    // Stacks are read by way of the library's own log, written and read again: a part of it that no recording reaches.
    // The process's memory is read by the package started again, with the library that the runtime brings.
    ("report --depth inside --duration 8s -- dotnet {fixtures} pool-burst --items 100 --hold 60000 --seconds 30", 0, "in queue"),
    ("report --depth stacks --duration 8s -- dotnet {fixtures} pool-burst --items 100 --hold 60000 --seconds 30", 0, "PoolBurst.Run"),
];

(string Name, string Project)[] testSteps = [("fast", "Tpwatch.Tests"), ("live", "Tpwatch.LiveTests")];

// Everything after the word is its own: `mutate 150 1 Pool Ledger`.
string[] mutated = [.. args.SkipWhile(arg => arg != "mutate").Skip(1)];
string[] named = [.. args.Take(args.Length - mutated.Length)];

Directory.SetCurrentDirectory(AppContext.GetData("EntryPointFileDirectoryPath") as string ?? ".");
(string Name, string Does, Action Run)[] steps =
[
    ("tools", "restore packages and the tools of dotnet-tools.json", Tools),
    ("format", "check the layout of the source", CheckFormat),
    ("build", "compile in Release, warnings are errors", () => Dotnet("build -c Release --no-restore -v minimal -warnaserror")),
    ("fast", "tests without processes", () => Test("fast")),
    ("live", "tests that start processes and attach", () => Test("live")),
    ("pack", "the packages of the tool, with sizes and lists of what they hold, and of the engine", Pack),
    ("smoke", "install the package into a folder and run it", Smoke),
    ("publish", "one self-contained linux-x64 file, for boxes without a runtime", Publish),
    ("trimmed", "that file, which is trimmed, must tell what the whole tool tells", Trimmed),
    ("bench", "start-up beside dotnet-trace, a report and a list", Bench),
    ("matrix", "every scenario, runtime and load, scored; an hour, on a quiet machine", Matrix),
    ("long", "the live tests that take long and are left out of `dotnet test`; after `publish pack`", Long),
    ("hostile", "the tool treated badly in every way known; ten minutes", Hostile),
    ("mutate", "mutants of the engine's rooms: how many, a seed, rooms; or `injected` faults; an hour", Mutate),
    ("tally", "count the test results, of which none may be missing; always last", () => { }),
];

// They take too long for every build.
string[] onlyAsked = ["matrix", "long", "hostile", "mutate"];
var wanted = named is [] or ["all"]
    ? [.. steps.Select(step => step.Name).Except(onlyAsked)]
    : named;
if (wanted.Except(steps.Select(step => step.Name)).ToArray() is { Length: > 0 } unknown)
{
    Console.Error.WriteLine($"No such step: {string.Join(", ", unknown)}. The steps, in order (or `all`):");
    foreach (var (name, does, _) in steps)
        Console.Error.WriteLine($"  {name,-8} {does}{(onlyAsked.Contains(name) ? "; only when asked for" : "")}");
    return 3;
}

// Counted at the end even when a test step failed, and only what this run has tested.
string[] tested = [.. testSteps.Where(step => wanted.Contains(step.Name)).Select(step => step.Project)];
if (tested.Length > 0)
    Empty(TestResults);
var ok = steps.Where(step => wanted.Contains(step.Name) && step.Name != "tally").All(step => Succeeds(step.Name, step.Run));
// Its last line is the last line of a run, whatever happened: scripts read it.
if (tested.Length > 0 || wanted.Contains("tally"))
    ok &= Run("dotnet", $"run .ci/tally.cs -- {(wanted.Contains("tally") ? "" : string.Join(' ', tested))}", show: true).Code == 0;
return ok ? 0 : 1;

void Tools()
{
    Dotnet("tool restore");
    Dotnet("restore");
}

void CheckFormat()
{
    // Style and analysers are part of the build, whose warnings are errors.
    Dotnet("format whitespace --verify-no-changes --no-restore");
    Dotnet("format whitespace --folder . --include build.cs .ci/tally.cs .ci/mutation.cs .ci/sbom.cs .ci/trimmed.cs --verify-no-changes");
}

void Test(string step)
{
    var project = testSteps.Single(test => test.Name == step).Project;
    Dotnet($"test tests/{project} -c Release --no-build --nologo --logger trx;LogFileName={project}.trx --results-directory {TestResults}");
}

void Pack()
{
    Empty(Packages);
    Dotnet("pack tool");
    Dotnet("pack probes -c Release");
    var packages = new DirectoryInfo(Packages).GetFiles("dotnet-tpwatch.*.nupkg");
    Dotnet($"run .ci/sbom.cs -- {string.Join(' ', packages.Select(package => package.FullName))}");
    foreach (var package in packages)
    {
        package.Refresh();
        Console.WriteLine(FormattableString.Invariant($"{package.Name}: {package.Length / 1e6:0.00} MB of {PackageLimitMegabytes} MB"));
    }

    Require(packages.Length == ToolPackages, "a package is missing, or left over");
    Require(packages.All(package => package.Length <= PackageLimitMegabytes * 1e6), "a package is too large");
}

void Smoke()
{
    Install("dotnet-tpwatch", SmokeTools, $"--source {Packages}");
    var oneEach = OneRecordingAVerdict();
    var fixtures = Directory.GetFiles(SmokeTools, "Tpwatch.Fixtures.dll", SearchOption.AllDirectories)[0];
    foreach (var (arguments, exit, says) in smokes)
        foreach (var (verdict, recording) in arguments.Contains("{recording}") ? oneEach : [("", "")])
            Try(Path.Combine(SmokeTools, "dotnet-tpwatch"), arguments.Replace("{recording}", recording).Replace("{fixtures}", fixtures),
                exit, says.Replace("{verdict}", verdict));
}

void Trimmed()
{
    Empty(TrimmedFiles);
    Directory.CreateDirectory(TrimmedFiles);
    Dotnet($"run .ci/trimmed.cs -- {PublishedFile} {WholeTool} {TrimmedFiles} "
        + string.Join(' ', OneRecordingAVerdict().Select(one => one.File)));
}

// As the page of scores has it, which the fast tests hold against what comes out now and which says where that is not what the record says.
(string Verdict, string File)[] OneRecordingAVerdict()
{
    var page = File.ReadAllText("tests/SCORES.md");
    var wrong = Regex.Matches(page, @"^- `(\S+)`: ", RegexOptions.Multiline).Select(line => line.Groups[1].Value).ToArray();
    return [.. Regex.Matches(page, @"^\| `(\S+)` \| ([a-z]\w*) \|", RegexOptions.Multiline)
        .Where(row => !wrong.Contains(row.Groups[1].Value))
        .GroupBy(row => row.Groups[2].Value, row => $"tests/Recordings/{row.Groups[1].Value}.nettrace")
        .Where(same => File.Exists(same.First()))
        .Select(same => (same.Key, same.First()))];
}

void Publish()
{
    Empty(Published);
    // Built apart: what is restored for one kind of machine would have the next ordinary build compile everything again.
    Dotnet($"publish tool -c Release -r linux-x64 -p:PublishSingleFile=true --artifacts-path {PublishBuild} -o {Published}");
    Require(Directory.GetFiles(Published) is [_], "more than one file was published");
    var size = new FileInfo(PublishedFile).Length;
    Console.WriteLine(FormattableString.Invariant($"{PublishedFile}: {size / 1e6:0.0} MB of {FileLimitMegabytes} MB"));
    Require(size <= FileLimitMegabytes * 1e6, "the file is too large");
    // As `sha256sum -c` reads it in that folder.
    var hash = Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(PublishedFile)));
    File.WriteAllText($"{PublishedFile}.sha256", $"{hash}  {Path.GetFileName(PublishedFile)}\n");
    // Only linux-x64 can start what was made for it.
    if (OperatingSystem.IsLinux() && Environment.Is64BitProcess)
        Try(PublishedFile, "--version", 0, @"^\d+\.\d+\.\d+");
}

void Bench()
{
    using var manifest = JsonDocument.Parse(File.ReadAllText("dotnet-tools.json"));
    var peer = manifest.RootElement.GetProperty("tools").GetProperty("dotnet-trace").GetProperty("version").GetString();
    Install("dotnet-tpwatch", BenchTools, $"--source {Packages}");
    Install("dotnet-trace", BenchTools, $"--version {peer}", clean: false);
    Dotnet($"run --project tests/Tpwatch.Lab -c Release -- compare {BenchTools}/dotnet-tpwatch {BenchTools}/dotnet-trace start");
}

// A goal that is missed in the one part does not keep the other from being measured.
void Matrix()
{
    Dotnet("build tests/Tpwatch.Lab -c Release -v minimal");
    var (quiet, loaded) = (Score("--quiet"), Score("--loaded"));
    Require(quiet && loaded, "not all goals are met "
        + $"{(quiet, loaded) switch { (true, _) => "beside a neighbour", (_, true) => "on a quiet machine", _ => "on either machine" }}");
}

bool Score(string machine) =>
    Run("dotnet", $"run --project tests/Tpwatch.Lab -c Release --no-build -- scores {machine}", show: true).Code == 0;

// Explicit tests, as xunit calls them: how good or how harmless something is, which others show to work at all.
void Long() => Dotnet("test tests/Tpwatch.LiveTests -c Release --no-build --nologo -- xUnit.Explicit=only");

void Hostile()
{
    Dotnet("build tests/Tpwatch.Lab -c Release -v minimal");
    Require(Run("dotnet", "run --project tests/Tpwatch.Lab -c Release --no-build -- hostile", show: true).Code == 0,
        "a case did harm");
}

void Mutate()
{
    var words = mutated is [] ? ["150", "1", "Pool", "Ledger", "Diagnosis"] : mutated;
    Require(Run("dotnet", $"run .ci/mutation.cs -- {string.Join(' ', words)}", show: true).Code == 0, "a room is below its goal");
}

void Install(string package, string into, string from, bool clean = true)
{
    if (clean)
        Empty(into);
    Dotnet($"tool install {package} --tool-path {into} {from}");
}

void Try(string program, string arguments, int exit, string says)
{
    var (code, output) = Run(program, arguments, show: false);
    Require(code == exit, $"`{arguments}` ended with {code}, not {exit}:\n{output}");
    Require(Regex.IsMatch(output, says), $"`{arguments}` does not say /{says}/ but:\n{output}");
}

void Dotnet(string arguments) => Require(Run("dotnet", arguments, show: true).Code == 0, $"`dotnet {arguments}` failed");

(int Code, string Output) Run(string program, string arguments, bool show)
{
    Console.WriteLine($"> {program} {arguments}");
    var words = arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries);
    var start = new ProcessStartInfo(program, words) { RedirectStandardOutput = !show };
    using var process = Process.Start(start) ?? throw new StepFailed($"{program} did not start");
    var output = show ? "" : process.StandardOutput.ReadToEnd();
    process.WaitForExit();
    return (process.ExitCode, output);
}

bool Succeeds(string name, Action run)
{
    var watch = Stopwatch.StartNew();
    Console.WriteLine($"== {name}");
    try
    {
        run();
        Console.WriteLine(FormattableString.Invariant($"== {name}: done in {watch.Elapsed.TotalSeconds:0.0} s"));
        return true;
    }
    catch (Exception e) when (e is StepFailed or Win32Exception or IOException)
    {
        Console.WriteLine(FormattableString.Invariant($"== {name}: FAILED after {watch.Elapsed.TotalSeconds:0.0} s. {e.Message}"));
        return false;
    }
}

static void Empty(string folder) { if (Directory.Exists(folder)) Directory.Delete(folder, recursive: true); }
static void Require(bool holds, string otherwise)
{
    if (!holds)
        throw new StepFailed(otherwise);
}

sealed class StepFailed(string why) : Exception(why);
