namespace Tpwatch.Benchmarks.Scores;

/// <summary>tests/SCORES.md: an introduction, and a section for each kind of machine, of which one is written at a time.</summary>
static class ScoresFile
{
    const string Introduction =
        """
        # Scores

        What the tool says is scored against the record that the fixture writes of itself. A prediction counts as it could be read, at the moment
        at which the stream had brought what it rests on, and is compared with the moment at which the next worker took its first item; what
        is left unscored is counted with the reason. The stored runs of tests/Recordings are scored by a test each time; the others are made anew:
        every scenario with the tool attached before it begins, those that tell a mechanism of the pool also on .NET 8 and 9 and attached in their
        middle. Written by

            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- scores --recorded
            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- scores --quiet
            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- scores --loaded
            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- scores --healthy

        each of which writes its own section; names of scenarios run only these, `--dry` prints and writes nothing.

        ## The stored runs

        <!-- recorded: generated -->
        <!-- recorded: end -->

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
