using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Attach;

/// <summary>A real process to look at, killed at the latest when the test ends.</summary>
sealed class LiveTarget : IAsyncDisposable
{
    readonly Process process;

    LiveTarget(Process process, int pid)
    {
        this.process = process;
        Pid = pid;
    }

    public int Pid { get; }

    static string Fixture
    {
        get
        {
            var ours = AppContext.BaseDirectory.TrimEnd('/');
            return Path.GetFullPath(Path.Combine(ours, "../../Tpwatch.Fixtures", Path.GetFileName(ours), "Tpwatch.Fixtures.dll"));
        }
    }

    /// <summary>A .NET program that does nothing unusual, once it is ready.</summary>
    public static Task<LiveTarget> SteadyAsync(int seconds = 60, string environment = "TPWATCH_TEST=1") =>
        ReadyAsync("env", [environment, .. Dotnet(seconds)]);

    /// <summary>
    /// The same behind a mount namespace with a /tmp of its own, as systemd's PrivateTmp makes one. The build may itself lie below /tmp, so
    /// it is shown at another place first.
    /// </summary>
    public static Task<LiveTarget> WithPrivateTmpAsync() =>
        ReadyAsync("unshare", ["--mount", "sh", "-c", "mount --bind \"$1\" /mnt && shift && mount -t tmpfs none /tmp && exec \"$@\"", "sh",
            Path.GetDirectoryName(Fixture)!, .. Dotnet(60).Select(word => word == Fixture ? "/mnt/" + Path.GetFileName(Fixture) : word)]);

    /// <summary>This program itself, with workers in places that are hard to name.</summary>
    public static Task<LiveTarget> OddStacksAsync() =>
        ReadyAsync("env", ["dotnet", "exec", typeof(LiveTarget).Assembly.Location, "odd-stacks"]);

    /// <summary>This program itself, in its last handler.</summary>
    public static Task<LiveTarget> EndingAsync() =>
        ReadyAsync("env", ["dotnet", "exec", typeof(LiveTarget).Assembly.Location, "slow-end"]);

    /// <summary>A program without events of any pool, which its settings switch off.</summary>
    /// <param name="folder">For its settings, which it reads at its start.</param>
    /// <param name="scenario">What it does.</param>
    public static async Task<LiveTarget> WithoutEventsAsync(string folder, string scenario = "steady")
    {
        var settings = JsonNode.Parse(await File.ReadAllTextAsync(Path.ChangeExtension(Fixture, ".runtimeconfig.json")))!;
        var options = settings["runtimeOptions"]!.AsObject();
        (options["configProperties"] ??= new JsonObject())["System.Diagnostics.Tracing.EventSource.IsSupported"] = false;
        var file = Path.Combine(folder, "settings.json");
        await File.WriteAllTextAsync(file, settings.ToJsonString());
        var words = Dotnet(60, scenario);
        return await ReadyAsync("env", [words[0], words[1], "--runtimeconfig", file, .. words[2..]]);
    }

    /// <summary>A program whose runtime waits at its start until somebody lets it go on.</summary>
    public static LiveTarget Waiting()
    {
        var start = new ProcessStartInfo("dotnet", Dotnet(60)[1..]) { RedirectStandardOutput = true };
        start.Environment["DOTNET_DefaultDiagnosticPortSuspend"] = "1";
        var process = Process.Start(start)!;
        return new LiveTarget(process, process.Id);
    }

    public static LiveTarget NotDotnet()
    {
        var process = Process.Start(new ProcessStartInfo("sleep", ["60"]))!;
        return new LiveTarget(process, process.Id);
    }

    public Task SignalAsync(string signal) => Signal.SendAsync(signal, Pid, CancellationToken.None);

    public async ValueTask DisposeAsync()
    {
        if (!this.process.HasExited)
        {
            this.process.Kill();
            await this.process.WaitForExitAsync();
        }

        this.process.Dispose();
    }

    static string[] Dotnet(int seconds, string scenario = "steady") =>
        ["dotnet", "exec", Fixture, scenario, "--seconds", seconds.ToString(CultureInfo.InvariantCulture)];

    static async Task<LiveTarget> ReadyAsync(string command, string[] arguments)
    {
        var process = Process.Start(new ProcessStartInfo(command, arguments) { RedirectStandardOutput = true })!;
        using CancellationTokenSource limit = new(TimeSpan.FromSeconds(30));
        while (await process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
        {
            if (line.StartsWith("READY", StringComparison.Ordinal))
            {
                // `env` and `unshare` replace themselves, so the process is the program.
                return new LiveTarget(process, process.Id);
            }
        }

        throw new InvalidOperationException($"{command} ended before it was ready.");
    }
}
