using System.Text;
using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Scoring.Recorded;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Lab.Recording;

/// <summary>The README of the recordings, from the truths that lie beside them.</summary>
static class RecordingsReadme
{
    const string Introduction =
        """
        <!-- Written by the command below; a test compares. -->
        # Recordings

        Real sessions with the fixtures: a `.nettrace`, its side-car `.nettrace.json`, and `.truth.json`, what the fixture itself says of that run
        (items with start and end, limits, standstills of the machine, what the pool's own API said every 100 ms) and when how much of the stream had come. Of each
        run the first that was complete is kept, whatever the engine makes of it: it ended by itself, no event and no line of the record is lost.
        `.late` was attached to in the middle, `.loaded` ran beside a busy neighbour. All are made again by

            dotnet run --project tests/Tpwatch.Lab -c Release -- recordings

        or some of them by adding names of runs or scenarios; `--parallel N` makes so many at a time, those that burn processors are alone in any case.
        Golden files are made of `pool-burst`, `sync-over-async` and `trickle`, and tests/SCORES.md of all: afterwards
        `UPDATE_GOLDEN=1 dotnet test tests/Tpwatch.Tests`, and a look at the difference.
        """;

    public static string Write(string folder)
    {
        var text = new StringBuilder(Introduction)
            .Append("\n\n| recording | fixture, processors | runtime | bytes | items | longest wait | verdict by the record "
                + "|\n|---|---|---|---:|---:|---:|---|\n");
        var bytes = 0L;
        foreach (var name in RecordedRun.Names(folder))
        {
            var (plan, file) = (RunMatrix.Of(name), RecordedRun.FileOf(folder, name));
            var truth = StoredTruthFile.Read(StoredTruthFile.PathFor(file));
            // What was delivered first is the session's own beginning.
            var from = truth.Delivered[0].At;
            var size = new[] { file, SideCarFile.PathFor(file), StoredTruthFile.PathFor(file) }.Sum(one => new FileInfo(one).Length);
            var verdicts = TrueVerdict.Of(truth.Run, plan.Row.Expectation.Work, from);
            bytes += size;
            text.Append($"| `{name}` | `{string.Join(' ', plan.Words)}`, {truth.Run.Header.Processors} | "
                    + $"{truth.Run.Header.Runtime} | {Format.Count(size)} | {truth.Run.Items.Length} | ")
                .Append($"{Format.Duration(TrueWaits.Seen(truth.Run, from).DefaultIfEmpty().Max())} | {string.Join(" or ", verdicts)} |\n");
        }

        return text.Append($"\n{RecordedRun.Names(folder).Length} recordings, {Format.Count(bytes)} bytes.\n")
            .ToString();
    }
}
