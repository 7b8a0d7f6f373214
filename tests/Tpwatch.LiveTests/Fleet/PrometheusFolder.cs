using System.Net;
using System.Text.Json;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Packaging;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Fleet;

/// <summary>
/// Debian's Prometheus and Alertmanager with the rules of deploy/, in a folder of their own and on ports that were free, scraping one
/// watcher once a second.
/// </summary>
sealed class PrometheusFolder : IAsyncDisposable
{
    /// <summary>Where the rules, the dashboard and the consoles are.</summary>
    public static string Deploy { get; } = Path.Combine(SourceBuild.Root, "deploy");

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-prometheus-");
    Server? alerts;
    Server? prometheus;

    /// <summary>Whether the programs are there.</summary>
    public static bool IsInstalled { get; } = Array.TrueForAll(["prometheus", "promtool", "prometheus-alertmanager"], IsOnPath);

    public static async Task<PrometheusFolder> StartAsync(Uri watcher, CancellationToken cancel)
    {
        PrometheusFolder started = new();
        try
        {
            await started.RunAsync(watcher, cancel);
            return started;
        }
        catch
        {
            await started.DisposeAsync();
            throw;
        }
    }

    /// <summary>Values of a query now, by their labels; fails where Prometheus calls it wrong.</summary>
    public async Task<List<(Dictionary<string, string> Labels, string Value)>> QueryAsync(string query, CancellationToken cancel)
    {
        Uri asked = new(prometheus!.Address, "api/v1/query?query=" + Uri.EscapeDataString(query));
        using var reply = await prometheus.Client.GetAsync(asked, cancel);
        var text = await reply.Content.ReadAsStringAsync(cancel);
        Assert.True(reply.IsSuccessStatusCode, $"{query}:\n{text}");
        using var json = JsonDocument.Parse(text);
        return [.. json.RootElement.GetProperty("data").GetProperty("result").EnumerateArray().Select(r => (
            r.GetProperty("metric").EnumerateObject().ToDictionary(l => l.Name, l => l.Value.GetString()!),
            r.GetProperty("value")[1].GetString()!))];
    }

    /// <summary>The names of the alerts that Alertmanager holds.</summary>
    public async Task<string[]> AlertsAsync(CancellationToken cancel)
    {
        using var json = JsonDocument.Parse(await alerts!.GetAsync("api/v2/alerts?active=true", cancel));
        return [.. json.RootElement.EnumerateArray().Select(a => a.GetProperty("labels").GetProperty("alertname").GetString()!)];
    }

    /// <summary>A console page.</summary>
    public Task<string> ConsoleAsync(CancellationToken cancel) => prometheus!.GetAsync("consoles/tpwatch.html", cancel);

    /// <summary>Waits for a condition.</summary>
    public Task UntilAsync(Func<Task<bool>> condition, CancellationToken cancel) => prometheus!.UntilAsync(condition, cancel);

    /// <summary>Kills Prometheus without warning.</summary>
    public void Kill() => prometheus!.Kill();

    public async ValueTask DisposeAsync()
    {
        await (prometheus?.DisposeAsync() ?? ValueTask.CompletedTask);
        await (alerts?.DisposeAsync() ?? ValueTask.CompletedTask);
        folder.Delete(recursive: true);
    }

    /// <summary>Runs promtool; fails with what it said when it is not content.</summary>
    public static async Task PromtoolAsync(params string[] args)
    {
        var run = await ToolRun.Program("promtool", args);
        Assert.True(run.Code == 0, $"promtool {string.Join(' ', args)}:\n{run.Out}{run.Error}");
    }

    async Task RunAsync(Uri watcher, CancellationToken cancel)
    {
        var (alertPort, port) = (FreePort.Find(), FreePort.Find());
        File.WriteAllText(Path.Combine(folder.FullName, "alertmanager.yml"), "route: {receiver: none}\nreceivers: [{name: none}]\n");
        File.WriteAllText(Path.Combine(folder.FullName, "prometheus.yml"), $$"""
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: ['{{Deploy}}/prometheus/tpwatch.rules.yml', '{{Deploy}}/prometheus/tpwatch.alerts.yml']
            alerting: {alertmanagers: [{static_configs: [{targets: ['127.0.0.1:{{alertPort}}']}]}]}
            scrape_configs: [{job_name: tpwatch, static_configs: [{targets: ['{{watcher.Authority}}']}]}]
            """);
        alerts = await Server.ProgramAsync("prometheus-alertmanager", alertPort, "-/ready", cancel,
            $"--config.file={folder}/alertmanager.yml", $"--storage.path={folder}/alerts", $"--web.listen-address=127.0.0.1:{alertPort}",
            "--cluster.listen-address=");
        prometheus = await Server.ProgramAsync("prometheus", port, "-/ready", cancel,
            $"--config.file={folder}/prometheus.yml", $"--storage.tsdb.path={folder}/data", $"--web.listen-address=127.0.0.1:{port}",
            $"--web.console.templates={Deploy}/consoles", $"--web.console.libraries={Deploy}/consoles");
    }

    static bool IsOnPath(string program) => (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
        .Any(part => File.Exists(Path.Combine(part, program)));
}
