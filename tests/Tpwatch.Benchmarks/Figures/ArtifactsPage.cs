namespace Tpwatch.Benchmarks.Figures;

/// <summary>The section of tests/SCORES.md about what a build makes.</summary>
static class ArtifactsPage
{
    /// <summary>Name of the section's markers.</summary>
    public const string Name = "artifacts";

    public const string Package = "the largest of the tool's packages";
    public const string SingleFile = "the single file for linux-x64";

    /// <summary>As the build step that packs has it: a tool is fetched over slow links in the middle of an incident.</summary>
    public const double MostPackageMegabytes = 12;

    public const double MostFileMegabytes = 45;

    public static Goals GoalsOf(long packageBytes) => new Goals().AtMost("the package, MB", packageBytes / 1e6, MostPackageMegabytes);

    public static string Of((long Package, long SingleFile) bytes, string machine) => FormattableString.Invariant(
        $"""
        ## What a build makes

        {machine} From what `dotnet run build.cs -- pack publish` has left in `artifacts`. Written by `artifacts --write`.

        | what | measured | goal |
        |---|---|---|
        | {Package} | {bytes.Package / 1e6:0.00} MB | at most {MostPackageMegabytes:0} MB |
        | {SingleFile} | {bytes.SingleFile / 1e6:0.0} MB | at most {MostFileMegabytes:0} MB |
        """);
}
