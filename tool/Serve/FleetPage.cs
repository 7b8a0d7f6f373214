using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>The HTML page of all watched processes, worst first, with links to their reports.</summary>
static class FleetPage
{
    // The page has no script and loads nothing; the browser reloads it every five seconds.
    public static string Render(FleetSnapshot fleet) => Markup.Of($$"""
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
        <title>{{Title(fleet)}}</title>
        <style>body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}table{border-collapse:collapse;width:100%}
        th,td{text-align:left;padding:.3em .7em;border-bottom:1px solid #8886}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
        .bad{font-weight:700}</style></head>
        <body><h1>{{Title(fleet)}}</h1>
        <p>{{Format.Plural(fleet.Own.Watched, "process is", "processes are")}} watched{{Room(fleet.Own)}}, as of {{Format.Utc(fleet.At)}}.
        <a href="/metrics">Metrics</a></p>
        {{Table(fleet)}}
        <footer>dotnet tpwatch {{ToolVersion.Text}}</footer></body></html>

        """).Source;

    static string Title(FleetSnapshot fleet) => fleet.Targets.Count(t => t.Verdict.IsStarvation()) is > 0 and var many
        ? $"{Format.Plural(many, "process")} of {Format.Count(fleet.Targets.Length)} starved"
        : fleet.Targets.Count(t => t.Verdict is Verdict.Undecided) is > 0 and var open
            ? $"No process is known to be starved, {Format.Count(open)} undecided"
            : "No process is starved";

    static string Room(OwnState own) => own.Waiting == 0
        ? ""
        : $", which is the limit; {Format.Plural(own.Waiting, "more process waits", "more processes wait")} to be watched";

    static Markup Table(FleetSnapshot fleet) => fleet.Targets.IsEmpty
        ? Markup.Of($"<p>No .NET process that this user may watch has run long enough yet. The option --older-than sets how long.</p>")
        : Markup.Of($"""
            <table><thead><tr><th>process</th><th class="n">pid</th><th>verdict</th><th class="n">duration</th><th class="n">threads</th><th class="n">target</th>
            <th class="n">queue</th><th class="n">longest wait</th><th>runtime</th><th>container</th><th>report</th></tr></thead><tbody>
            {Markup.Join(fleet.Targets.OrderBy(Rank).ThenBy(t => t.Page, StringComparer.Ordinal).Select(Row))}</tbody></table>
            """);

    static int Rank(TargetState state) => state.Verdict switch
    {
        var v when v.IsStarvation() => 0,
        Verdict.Saturated => 1,
        Verdict.NotThePool => 2,
        Verdict.Undecided => 3,
        _ => 4,
    };

    static Markup Row(TargetState state)
    {
        var levels = state.Glance.Timeline.Levels;
        return Markup.Of($"""
            <tr><td>{state.Name}</td><td class="n">{state.Pid}</td><td class="{(state.Verdict.IsTrouble() ? "bad" : "")}">{VerdictWords.Of(state.Verdict)}{Quiet(state)}</td>
            <td class="n">{Duration(state.Open?.Span.Ms)}</td><td class="n">{Number(levels.Workers)}</td><td class="n">{Number(levels.TargetThreads)}</td>
            <td class="n">{Number(levels.QueueLength)}</td><td class="n">{Duration(state.Open?.ProvenWaitMs)}</td><td>{state.Runtime}</td><td>{state.Container}</td>
            <td><a href="/report/{state.Page}">page</a> <a href="/report/{state.Page}.json">json</a></td></tr>

            """);
    }

    static string Quiet(TargetState state) => state.Silence is { } silence ? $": {silence}" : "";

    static string Duration(double? ms) => ms is > 0 and var known ? Format.Duration(known) : "";

    static string Number(long? value) => value is { } known ? Format.Count(known) : "";
}
