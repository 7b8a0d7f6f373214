using System.Diagnostics;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// A repository in small, with this one's program that counts and with results that no test
/// has made: two projects of tests and one without.
/// </summary>
public sealed class TallyFolder : IDisposable
{
    /// <summary>What <c>dotnet run build.cs -- tally</c> and the build machine run at their end.</summary>
    const string Program = ".ci/tally.cs";

    static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-tally-");

    bool isBuilt;

    public TallyFolder()
    {
        Write(Program, File.ReadAllText(Path.Combine(SourceBuild.Root, Program)));
        Write("tpwatch.slnx", """
            <Solution>
              <Project Path="tests/Some.Tests/Some.Tests.csproj" /><Project Path="tests/Some.LiveTests/Some.LiveTests.csproj" />
              <Project Path="tool/Some.Tool.csproj" />
            </Solution>
            """);
        Write("tool/Some.Tool.csproj", "<Project />");
        foreach (var project in (string[])["Some.Tests", "Some.LiveTests"])
        {
            Write($"tests/{project}/{project}.csproj",
                "<Project><PropertyGroup><IsTestProject>true</IsTestProject></PropertyGroup></Project>");
        }
    }

    public void Dispose() => folder.Delete(recursive: true);

    /// <summary>The results there are from now on.</summary>
    internal void Begin(string voidRows, params IEnumerable<TallyRun> runs)
    {
        var results = new DirectoryInfo(Path.Combine(folder.FullName, "artifacts", "tests"));
        if (results.Exists)
        {
            results.Delete(recursive: true);
        }

        foreach (var run in runs)
        {
            Write($"artifacts/tests/{run.Project}.trx", run.Trx);
        }

        if (voidRows.Length > 0)
        {
            Write("artifacts/tests/void.txt", voidRows);
        }
    }

    internal async Task<(int Exit, string[] Lines)> TallyAsync(CancellationToken cancel, bool isBuildMachine = false)
    {
        var start = new ProcessStartInfo(
            "dotnet", ["run", .. isBuilt ? ["--no-build"] : Array.Empty<string>(), Program])
        { WorkingDirectory = folder.FullName };
        isBuilt = true;
        start.Environment["CI"] = isBuildMachine ? "true" : null;
        var (exit, output) = await SdkRun.OfAsync(start, Limit, cancel);
        return (exit, output.TrimEnd('\n').Split('\n'));
    }

    void Write(string path, string text)
    {
        var file = new FileInfo(Path.Combine(folder.FullName, path));
        file.Directory!.Create();
        File.WriteAllText(file.FullName, text);
    }
}

/// <summary>One project's results, as the test platform writes them.</summary>
/// <param name="Project">Whose.</param>
/// <param name="Outcomes">Of its tests, in the platform's words; after a colon what the test says.</param>
/// <param name="Summary">Of the run as a whole.</param>
sealed record TallyRun(string Project, string[] Outcomes, string Summary)
{
    public string Trx => $"""
        <TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
          <Results>{string.Concat(Outcomes.Select(Result))}</Results>
          <TestDefinitions><UnitTest name='T0'><TestMethod codeBase='/bin/{Project}.dll' className='C' name='T0' /></UnitTest></TestDefinitions>
          <ResultSummary outcome="{Summary}" />
        </TestRun>
        """;

    static string Result(string outcome, int number)
    {
        var words = outcome.Split(':');
        var says = words is [_, var text] ? $"<Output><ErrorInfo><Message>{text}</Message></ErrorInfo></Output>" : "";
        return FormattableString.Invariant($"<UnitTestResult testName='T{number}' outcome='{words[0]}'>{says}</UnitTestResult>");
    }
}
