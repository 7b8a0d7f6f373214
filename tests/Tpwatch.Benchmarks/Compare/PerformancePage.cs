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

        The first row is the peer beside itself: what it differs from 1 is chance. dotnet-counters is measured where it lies beside dotnet-trace or on
        the path.

        """;
}
