using System.Diagnostics;

namespace Tpwatch.LiveTests.Pages;

/// <summary>A headless Chromium with a profile of its own, shared by the tests of a class; gone with its profile afterwards.</summary>
public sealed class Chromium : IAsyncLifetime
{
    static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(40);

    readonly DirectoryInfo profile = Directory.CreateTempSubdirectory("tpwatch-page-");
    Process? process;
    DevTools? tools;

    /// <summary>Where it is; null where there is none.</summary>
    public static string? Installed { get; } = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
        .SelectMany(folder => (string[])[Path.Combine(folder, "chromium"), Path.Combine(folder, "chromium-browser")])
        .FirstOrDefault(File.Exists);

    public async ValueTask InitializeAsync()
    {
        try
        {
            await (Installed is not null ? RunAsync(CancellationToken.None) : Task.CompletedTask);
        }
        catch
        {
            await DisposeAsync();
            throw;
        }
    }

    /// <summary>A tab of its own that has loaded a page.</summary>
    internal async Task<Page> OpenAsync(string address, CancellationToken cancel)
    {
        Assert.SkipWhen(Installed is null, "Chromium is not installed (Debian's package chromium)");
        var target = await tools!.AskAsync("Target.createTarget", new() { ["url"] = "about:blank" });
        var attached = await tools.AskAsync(
            "Target.attachToTarget", new() { ["targetId"] = target.GetProperty("targetId").GetString(), ["flatten"] = true });
        var page = new Page(tools, attached.GetProperty("sessionId").GetString()!);
        await page.LoadAsync(address, cancel);
        return page;
    }

    public async ValueTask DisposeAsync()
    {
        if (tools is not null)
        {
            await tools.DisposeAsync();
        }

        if (process is not null)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
            process.Dispose();
        }

        await RemoveProfileAsync();
    }

    async Task RunAsync(CancellationToken cancel)
    {
        string[] arguments =
        [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-extensions", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--remote-debugging-port=0", "--window-size=1280,1000", $"--user-data-dir={profile.FullName}", "about:blank",
        ];
        process =
            Process.Start(new ProcessStartInfo(Installed!, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        // Pipes that fill up would hold it.
        process.OutputDataReceived += (_, _) => { };
        process.ErrorDataReceived += (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        tools = await DevTools.ConnectAsync(await AddressAsync(cancel), cancel);
    }

    // It writes its port, and the path of its socket, into its profile once it listens.
    async Task<string> AddressAsync(CancellationToken cancel)
    {
        var file = Path.Combine(profile.FullName, "DevToolsActivePort");
        for (var waited = TimeSpan.Zero; waited < StartLimit; waited += TimeSpan.FromMilliseconds(100))
        {
            if (File.Exists(file) && await File.ReadAllLinesAsync(file, cancel) is [var port, var path, ..])
            {
                return $"ws://127.0.0.1:{port}{path}";
            }

            await Task.Delay(100, cancel);
        }

        throw new TimeoutException($"Chromium did not listen within {StartLimit.TotalSeconds} s");
    }

    // Its children may hold the profile a moment longer.
    async Task RemoveProfileAsync()
    {
        for (var i = 0; i < 20 && profile.Exists; i++)
        {
            try
            {
                profile.Delete(recursive: true);
                return;
            }
            catch (IOException)
            {
                await Task.Delay(100);
            }
        }
    }
}
