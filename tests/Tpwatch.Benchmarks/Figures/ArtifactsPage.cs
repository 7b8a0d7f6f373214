namespace Tpwatch.Benchmarks.Figures;

/// <summary>The section of tests/SCORES.md about what a build makes and how long its tests take.</summary>
internal static class ArtifactsPage
{
    /// <summary>Name of the section's markers.</summary>
    public const string Name = "artifacts";

    public const string Package = "the tool's package";
    public const string SingleFile = "the single file for linux-x64";
    public const string Tests = "all tests";

    public static string Of((long Package, long SingleFile) bytes, TimeSpan tests, string machine) => FormattableString.Invariant(
        $"""
        ## What a build makes, and how long its tests take

        {machine} From what `dotnet run build.cs -- pack publish` and the last run of all tests have left in `artifacts`. Written by `artifacts --write`.

        | what | measured |
        |---|---|
        | {Package} | {bytes.Package / 1e6:0.00} MB |
        | {SingleFile} | {bytes.SingleFile / 1e6:0.0} MB |
        | {Tests} | {tests.TotalMinutes:0.0} minutes |
        """);
}
