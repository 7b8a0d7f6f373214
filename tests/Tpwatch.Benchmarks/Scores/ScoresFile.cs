namespace Tpwatch.Benchmarks.Scores;

/// <summary>tests/SCORES.md: an introduction, and a section for each kind of machine, of which one is written at a time.</summary>
internal static class ScoresFile
{
    const string Introduction =
        """
        # Scores

        Every scenario of the catalogues is run with the tool attached, short, on .NET 10, and on .NET 9 and 8 where the rule is the runtime's
        own. What the tool says is scored against the truth that the fixture writes of itself. Written by

            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- scores --quiet
            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- scores --loaded
            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- scores --healthy

        each of which writes its own section; names of scenarios run only these, `--dry` prints and writes nothing.

        ## A quiet machine

        <!-- quiet: generated -->
        <!-- quiet: end -->

        ## A machine with a busy neighbour on every processor

        <!-- loaded: generated -->
        <!-- loaded: end -->

        ## Healthy scenarios, again and again

        <!-- healthy: generated -->
        <!-- healthy: end -->

        """;

    /// <summary>Writes one section, named by its markers, and leaves the others alone.</summary>
    public static void Write(string file, string name, string section)
    {
        var text = File.Exists(file) ? File.ReadAllText(file).ReplaceLineEndings("\n") : Introduction;
        File.WriteAllText(file, GeneratedPart.Replace(text, name, section));
    }
}
