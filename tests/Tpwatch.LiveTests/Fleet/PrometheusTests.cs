using System.Globalization;
using System.Text.Json;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Fleet;

/// <summary>What deploy/ holds, on the real Prometheus: rules, alerts, dashboard, consoles.</summary>
public sealed class PrometheusTests
{
    const string Missing = "Prometheus is not installed (Debian's packages prometheus and prometheus-alertmanager)";

    /// <summary>A dashboard's variables, as they are when nothing is chosen.</summary>
    static readonly Dictionary<string, string> Variables =
        new() { ["$job"] = ".*", ["$instance"] = ".*", ["$assembly"] = ".*", ["$__range"] = "1h" };

    [Fact(Timeout = 60_000)]
    public async Task The_rules_pass_the_tests_that_ship_with_them()
    {
        Assert.SkipUnless(PrometheusFolder.IsInstalled, Missing);
        var folder = Path.Combine(PrometheusFolder.Deploy, "prometheus");
        await PrometheusFolder.PromtoolAsync("test", "rules", Path.Combine(folder, "tpwatch.rules.test.yml"));
        await PrometheusFolder.PromtoolAsync("check", "config", Path.Combine(folder, "prometheus.yml"));
    }

    /// <summary>30 s are in the rule, during which the process starves, and 30 s an alert goes on after its cause is gone.</summary>
    [Fact(Timeout = 240_000)]
    public async Task A_process_that_starves_fires_an_alert_which_is_over_when_it_is()
    {
        Assert.SkipUnless(PrometheusFolder.IsInstalled, Missing);
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "blocking-socket", "--seconds", "200");
        var pid = target.Pid.ToString(CultureInfo.InvariantCulture);
        await using var watcher = await Server.ToolAsync(cancel, "-p", pid, "--older-than", "1s");
        await using var prometheus = await PrometheusFolder.StartAsync(watcher.Address, cancel);
        await HasAsync(prometheus, "tpwatch_verdict{verdict=\"healthy\"} == 1", cancel);
        Assert.Empty(await prometheus.AlertsAsync(cancel));

        await target.BeginAsync();
        await HasAsync(prometheus, "tpwatch:starved == 1", cancel);
        await EveryQueryIsAnsweredAsync(prometheus, cancel);
        Assert.Contains("class=\"bad\"", await prometheus.ConsoleAsync(cancel), StringComparison.Ordinal);
        await PleasesPromtoolAsync(watcher, cancel);

        await prometheus.UntilAsync(async () => (await prometheus.AlertsAsync(cancel)).Contains("ThreadPoolStarved"), cancel);
        await Signal.SendAsync("KILL", target.Pid, cancel);
        await prometheus.UntilAsync(async () => (await prometheus.AlertsAsync(cancel)).Length == 0, cancel);
        Assert.Equal(0, await watcher.StopAsync(cancel));
        await HasAsync(prometheus, "ALERTS{alertname=\"ThreadPoolWatcherGone\"}", cancel);
    }

    static Task HasAsync(PrometheusFolder prometheus, string query, CancellationToken cancel) =>
        prometheus.UntilAsync(async () => (await prometheus.QueryAsync(query, cancel)).Count == 1, cancel);

    // Most have values while a process starves; every one is at least right.
    static async Task EveryQueryIsAnsweredAsync(PrometheusFolder prometheus, CancellationToken cancel)
    {
        var file = Path.Combine(PrometheusFolder.Deploy, "grafana", "tpwatch.json");
        using var dashboard = JsonDocument.Parse(await File.ReadAllTextAsync(file, cancel));
        var queries = dashboard.RootElement.GetProperty("panels").EnumerateArray()
            .SelectMany(p => p.GetProperty("targets").EnumerateArray()).Select(t => t.GetProperty("expr").GetString()!).ToArray();
        var answered = 0;
        foreach (var query in queries)
        {
            var asked = Variables.Aggregate(query, (text, v) => text.Replace(v.Key, v.Value, StringComparison.Ordinal));
            answered += (await prometheus.QueryAsync(asked, cancel)).Count > 0 ? 1 : 0;
        }

        Assert.True(queries.Length > 20 && answered > queries.Length / 2, $"{answered} of {queries.Length} queries had an answer");
    }

    static async Task PleasesPromtoolAsync(Server watcher, CancellationToken cancel)
    {
        using var folder = new TempFolder();
        var file = folder["file"];
        await File.WriteAllTextAsync(file, await watcher.GetAsync("metrics", cancel), cancel);
        var run = await ToolRun.Program("/bin/sh", "-c", $"promtool check metrics < '{file}'");
        Assert.True(run.Code == 0 && run.Error.Length == 0, run.Out + run.Error);
    }
}
