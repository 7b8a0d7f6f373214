using System.Globalization;
using Tpwatch.Fixtures.Catalogue;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Web.Scenarios;
using Tpwatch.Lab.Runs;
using Tpwatch.Scoring.Checks;

namespace Tpwatch.Lab.FullRuns;

/// <summary>
/// Runs the catalogue with the articles' own numbers while the tool is attached, and writes what came out into fixtures/full-run.json and
/// the READMEs of the fixtures, beside the articles' figures. Names run only these and leave the others as they were.
/// </summary>
static class FullRunCommand
{
    const int UsualParallel = 6;
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(25);

    static string Folder { get; } = Path.Combine(BuiltPrograms.Root, "fixtures");

    static string Data { get; } = Path.Combine(Folder, FullRun.FileName);

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var rows = ScenarioRow.Named(words.Rest);
        if (rows.IsEmpty)
            return words.Refuse("no scenario has one of these names");
        var load = MachineWords.LoadNow();
        var outcomes = await RunQueue.MakeAsync(
            [.. rows.Select(row => new RunPlan(row, TargetRuntime.Net10) { Words = row.FullWords })], parallel, Limit,
            async (plan, fixtures, cancel) => Entry(await AttachedRun.OfAsync(plan, fixtures, cancel)), Say);
        var made = outcomes.Select(outcome => outcome.Value).OfType<FullRunEntry>().ToArray();
        var known = FullRun.Read(Data) ?? new FullRun("", []);
        var full = (known with { Machine = MachineWords.Of(load) }).With(
            made, [.. ScenarioRow.All.Select(row => string.Join(' ', row.FullWords))]);
        Console.WriteLine(FullRunMarkdown.Write([.. rows.Select(row => row.Scenario)], full));
        if (!dry)
            Write(full);
        return RunQueue.Conclude(outcomes, made.SelectMany(entry => entry.Unexpected.Select(one => $"{entry.Words}: {one}"))
            .Aggregate(new Goals(), (goals, wrong) => goals.Add(wrong, met: false)));
    }

    static FullRunEntry Entry(AttachedRun run)
    {
        var row = run.Plan.Row;
        var summary = row.Scenario.Summarise(run.Run.Truth);
        return new()
        {
            Words = string.Join(' ', run.Plan.Words),
            Processors = run.Run.Truth.Header.Processors,
            Verdict = ExpectationCheck.Word(run.Run.Report.Verdict),
            Figures = [Headline(row.Expectation.Headline, summary.Headline), .. summary.Lines.Where(line => line.Article is not null)
                .Select(line => new FullRunFigure(line.What, line.Here, line.Article))],
            Unexpected = ExpectationCheck.Differences(run.Run, run.Plan),
        };
    }

    static FullRunFigure Headline(HeadlineNumber expected, double? here) => new(
        $"**{expected.Name}**",
        $"{(here is { } number ? Rounded(number) : "none")} {expected.Unit}, expected {expected.AtLeast:0.###} to "
                + $"{expected.AtMost:0.###}",
        null);

    static string Rounded(double number) => number.ToString(Math.Abs(number) >= 100 ? "0" : "0.###", CultureInfo.InvariantCulture);

    static string Say(FullRunEntry entry) =>
        $"{entry.Verdict}, {entry.Figures[0].Here}" + string.Concat(entry.Unexpected.Select(one => "; " + one));

    static void Write(FullRun full)
    {
        full.Write(Data);
        WriteReadme(Folder, CatalogueMarkdown.Write(ScenarioCatalogue.All, CatalogueMarkdown.Introduction, full));
        WriteReadme(Path.Combine(Folder, "Web"), CatalogueMarkdown.Write(WebCatalogue.All, WebCatalogue.Introduction, full));
    }

    static void WriteReadme(string folder, string text) => File.WriteAllText(Path.Combine(folder, "README.md"), text.TrimEnd('\n') + "\n");
}
