using System.Text;

namespace Tpwatch.Benchmarks.Recording;

/// <summary>The README of the recordings, from their index.</summary>
internal static class RecordingsReadme
{
    const string Introduction =
        """
        <!-- Written by the command below; a test compares. -->
        # Recordings

        Real sessions with the fixtures, each a `.nettrace` and its side-car, attached before the scenario began and read until the program had
        ended. `recordings.json` says how each was made. One is kept only when nothing was lost, when at most a twentieth of its timed gaps (or
        one) does not fit, and when it shows what its scenario must show; it is tried several times. All are made again by

            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- recordings

        or some of them by adding their names; `--parallel N` makes so many at a time, those that burn processors are alone in any case. Golden
        files are made of `pool-burst`, `sync-over-async` and `trickle`; after these three
        `UPDATE_GOLDEN=1 dotnet test tests/Tpwatch.Tests`, and a look at the difference.
        """;

    public static string Write(RecordingIndex index)
    {
        var text = new StringBuilder(Introduction).Append("\n\n| recording | fixture, processors | runtime | bytes | verdict | timed gaps that fit, all gaps |\n|---|---|---|---:|---|---|\n");
        foreach (var one in index.Recordings)
            text.Append(FormattableString.Invariant(
                $"| `{one.Name}` | `{one.Arguments}`, {one.Processors} | {one.Runtime} | {Format.Count(one.Bytes)} | {one.Verdict} | {one.Fits} of {one.Timed}, {one.Gaps} |\n"));
        text.Append(FormattableString.Invariant($"\n{index.Recordings.Length} recordings, {Format.Count(index.Recordings.Sum(one => one.Bytes))} bytes.\n"));
        var lacking = RecordingExceptions.MayLack.Where(row => index.Recordings.All(one => one.Name != row.Key)).ToArray();
        foreach (var (name, reason) in lacking)
            text.Append(FormattableString.Invariant($"\nThere is none of `{name}` yet: {reason}.\n"));
        return text.ToString();
    }
}
