using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Tpwatch.Benchmarks.Fleet;

/// <summary>The built tool that serves, as a process of its own, and what it takes.</summary>
sealed partial class WatcherProcess : IAsyncDisposable
{
    static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(60);
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(30);
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(100);

    readonly HttpClient client = new();
    readonly Process process;
    readonly Task<string> output;
    Task<string>? error;
    string address = "";

    WatcherProcess(Process process)
    {
        this.process = process;
        output = process.StandardOutput.ReadToEndAsync();
    }

    public int Pid => process.Id;

    /// <summary>Processor time since its start, milliseconds.</summary>
    public double ProcessorMs => CpuClock.Ms(Pid);

    /// <summary>Resident memory, megabytes.</summary>
    public double Megabytes => Status("VmRSS:") / 1024.0;

    public int Threads => Status("Threads:");

    /// <summary>Open files, sockets among them.</summary>
    public int Descriptors => OpenFiles.Count;

    /// <summary>What they are; one that is closed meanwhile is left out.</summary>
    public IReadOnlyList<string> OpenFiles =>
    [
        .. Directory.GetFiles(string.Create(CultureInfo.InvariantCulture, $"/proc/{Pid}/fd"))
            .Select(file => new FileInfo(file).LinkTarget).OfType<string>(),
    ];

    /// <param name="which">Arguments that say which processes.</param>
    /// <param name="temporary">Its temporary folder; null is everybody's.</param>
    public static async Task<WatcherProcess> StartAsync(IEnumerable<string> which, string? temporary = null)
    {
        ProcessStartInfo start = new(BuiltPrograms.Host, [BuiltPrograms.Tool, "serve", "--listen", "127.0.0.1:0", .. which])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (temporary is not null)
            start.Environment["TMPDIR"] = temporary;
        var watcher = new WatcherProcess(Process.Start(start)!);
        try
        {
            using var limit = new CancellationTokenSource(StartLimit);
            var line = await watcher.process.StandardError.ReadLineAsync(limit.Token);
            watcher.address = Address().Match(line ?? "").Value;
            watcher.error = watcher.process.StandardError.ReadToEndAsync();
            return watcher;
        }
        catch
        {
            await watcher.DisposeAsync();
            throw;
        }
    }

    /// <summary>The series as they are now.</summary>
    public Task<string> MetricsAsync() => client.GetStringAsync(new Uri(address + "metrics"));

    /// <summary>The value of a series without labels.</summary>
    public async Task<double> ValueAsync(string series) => double.Parse(
        (await MetricsAsync()).Split('\n').First(line => line.StartsWith(series + " ", StringComparison.Ordinal)).Split(' ')[1],
        CultureInfo.InvariantCulture);

    /// <summary>How long the text takes on a line that packs it, bytes.</summary>
    public async Task<int> PackedAsync()
    {
        using HttpRequestMessage request = new(HttpMethod.Get, address + "metrics");
        request.Headers.Add("Accept-Encoding", "gzip");
        using var reply = await client.SendAsync(request);
        return (await reply.Content.ReadAsByteArrayAsync()).Length;
    }

    /// <summary>Waits until the series have that text; how long it took.</summary>
    public async Task<TimeSpan> UntilAsync(string text, TimeSpan limit)
    {
        for (var began = Stopwatch.GetTimestamp(); ; await Task.Delay(Pace))
        {
            var waited = Stopwatch.GetElapsedTime(began);
            if ((await MetricsAsync()).Contains(text, StringComparison.Ordinal))
                return waited;
            if (waited > limit)
                throw new InvalidOperationException($"'{text}' did not come within {limit}");
        }
    }

    public async ValueTask DisposeAsync()
    {
        client.Dispose();
        if (!process.HasExited)
        {
            using var kill = Process.Start("kill", ["-s", "TERM", Pid.ToString(CultureInfo.InvariantCulture)]);
            await kill.WaitForExitAsync();
            using var limit = new CancellationTokenSource(StopLimit);
            await process.WaitForExitAsync(limit.Token);
        }

        await output;
        await (error ?? Task.FromResult(""));
        process.Dispose();
    }

    int Status(string name)
    {
        var lines = File.ReadLines(string.Create(CultureInfo.InvariantCulture, $"/proc/{Pid}/status"));
        var line = lines.First(l => l.StartsWith(name, StringComparison.Ordinal));
        return int.Parse(line[name.Length..].Trim().Split(' ')[0], CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"http://127\.0\.0\.1:\d+/")]
    private static partial Regex Address();
}
