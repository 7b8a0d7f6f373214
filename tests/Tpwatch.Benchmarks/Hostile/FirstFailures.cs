namespace Tpwatch.Benchmarks.Hostile;

/// <summary>What failed when the tool was first tried with hostile hands, on 2026-11-22.</summary>
static class FirstFailures
{
    public static readonly (int Number, string What)[] All =
    [
        (1, "a temporary folder of 256 kB: the report was lost to a burst of stacks"),
        (2, "two recordings shared one file of items; any foreign one was accepted"),
        (3, "escape sequences in names reached terminals and logs"),
        (4, "standard error closed: aborted"),
        (5, "Ctrl+\\ left the alternate screen"),
        (6, "`record` replaced what lay beside FILE"),
        (7, "`report -o` destroyed a part of its recording"),
        (8, "two `record -o same` at once wrote into one file"),
        (9, "items cut off were told as none"),
        (10, "an output that nobody reads kept the session open after SIGINT"),
        (11, "a file, pipe or stranger's socket under the name of the target's was taken"),
        (12, "side-cars that lie: bugs, 4 GB, hangs"),
        (13, "a pipe as recording or as output hung"),
        (14, "`report /proc/self/mem` was a bug"),
        (15, "`whatif` on a header alone blamed the arguments"),
        (16, "misleading sentences and impossible figures"),
        (17, "few files: ended without a word"),
        (18, "what a killed tool left stayed"),
        (19, "one-shot verbs left a terminal in keypad mode"),
    ];
}
