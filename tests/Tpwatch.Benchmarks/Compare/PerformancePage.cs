namespace Tpwatch.Benchmarks.Compare;

/// <summary>The page tests/PERFORMANCE.md.</summary>
static class PerformancePage
{
    public static string Of(IEnumerable<ComparedRow> rows, string machine) =>
        $"""
        # Performance

        Measured in pairs, one after the other in turn, in one run, and written by

            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- compare artifacts/bench/dotnet-tpwatch artifacts/bench/dotnet-trace

        after `dotnet run build.cs -- pack bench`, which puts both tools there. Machine: {machine}

        | what | beside | measured | budget | |
        |---|---|---|---|---|
        {string.Join('\n', rows)}

        The first row is the peer beside itself: what it differs from 1 is chance. dotnet-counters is not compared: it asks its terminal where the
        cursor is, which the one of this measurement does not tell, so its first numbers would come late.

        """;
}
