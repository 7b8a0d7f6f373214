using System.Reflection;
using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Pages;

/// <summary>The report's page in a real browser: it complains about nothing, asks nobody, and works from the keyboard.</summary>
public sealed class HtmlReportTests(Chromium chromium) : IClassFixture<Chromium>
{
    const int LimitMs = 180_000;

    static readonly string Root = Path.GetFullPath(
        typeof(HtmlReportTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "RepositoryRoot").Value!);

    /// <summary>Task waits, and a pool that is well: with and without what blocks.</summary>
    public static TheoryData<string> Recordings => ["sync-over-async", "healthy-burst"];

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Recordings))]
    public async Task A_page_needs_no_network_and_the_keyboard_reaches_every_wait(string name)
    {
        var file = await WriteAsync(Path.Combine(Root, "tests", "Recordings", name + ".nettrace"));
        try
        {
            var page = await chromium.OpenAsync(new Uri(file).AbsoluteUri, TestContext.Current.CancellationToken);
            await ReachesEveryWaitAsync(page);
            await ReadsEveryMomentAsync(page);
            await PicturesAsync(page, name);
            Assert.Empty(page.Requests);
            Assert.Empty(page.Complaints);
        }
        finally
        {
            File.Delete(file);
        }
    }

    // From the top with the tab key alone to the first wait, then down to the last one.
    static async Task ReachesEveryWaitAsync(Page page)
    {
        var all = (await page.EvaluateAsync("[...document.querySelectorAll('[data-gap]')].map(g => g.id)")).EnumerateArray()
            .Select(id => id.GetString()!).ToList();
        Assert.NotEmpty(all);
        for (var i = 0; i < 60 && !await OnAWaitAsync(page); i++)
        {
            await page.PressAsync("Tab", 9);
        }

        var reached = new List<string>();
        for (var i = 0; i < all.Count; i++)
        {
            reached.Add((await page.EvaluateAsync("document.activeElement.id")).GetString()!);
            Assert.True((await page.EvaluateAsync("document.activeElement.checkVisibility()")).GetBoolean(),
                $"{reached[^1]} has the focus and is not seen");
            await page.PressAsync("ArrowDown", 40);
        }

        Assert.Equal(all, reached);
        await page.PressAsync("Home", 36);
        Assert.Equal(all[0], (await page.EvaluateAsync("document.activeElement.id")).GetString());
    }

    static async Task<bool> OnAWaitAsync(Page page) =>
        (await page.EvaluateAsync("document.activeElement.matches('[data-gap]')")).GetBoolean();

    // The cursor over the timeline says what the table says, moment by moment, and leads to a wait.
    static async Task ReadsEveryMomentAsync(Page page)
    {
        await page.EvaluateAsync("document.getElementById('chart').focus()");
        await page.PressAsync("Home", 36);
        var first = (await page.EvaluateAsync("document.getElementById('chart').getAttribute('aria-valuetext')")).GetString();
        Assert.StartsWith((await page.EvaluateAsync("document.querySelector('#series tbody tr td').textContent")).GetString()!,
            first, StringComparison.Ordinal);
        await page.PressAsync("ArrowRight", 39);
        Assert.Equal("1", (await page.EvaluateAsync("document.getElementById('chart').getAttribute('aria-valuenow')")).GetString());
        Assert.True((await page.EvaluateAsync("document.getElementById('reading').textContent.includes('threads')")).GetBoolean());
        await page.PressAsync("Enter", 13);
        Assert.True(await OnAWaitAsync(page));
    }

    // Light, dark and on paper; kept where somebody asks to look at them.
    static async Task PicturesAsync(Page page, string name)
    {
        var (light, dark, paper) = (await page.PictureAsync("light"), await page.PictureAsync("dark"), await page.PaperAsync());
        Assert.NotEqual(light, dark);
        Assert.Equal("%PDF"u8, paper.AsSpan(0, 4));
        if (Environment.GetEnvironmentVariable("TPWATCH_PICTURES") is { Length: > 0 } folder)
        {
            await File.WriteAllBytesAsync(Path.Combine(folder, $"{name}-light.png"), light, TestContext.Current.CancellationToken);
            await File.WriteAllBytesAsync(Path.Combine(folder, $"{name}-dark.png"), dark, TestContext.Current.CancellationToken);
            await File.WriteAllBytesAsync(Path.Combine(folder, $"{name}.pdf"), paper, TestContext.Current.CancellationToken);
        }
    }

    [Fact(Timeout = LimitMs)]
    public async Task Hostile_names_stay_text()
    {
        const string Name = "x\"'><img src=http://127.0.0.1:9/x onerror=hacked=1></title></style></script><script>hacked=2</script>";
        using var folder = new TempFolder();
        var recording = folder["hostile.nettrace"];
        File.Copy(Path.Combine(Root, "tests", "Recordings", "pool-burst.nettrace"), recording);
        var sideCar = System.Text.Json.Nodes.JsonNode.Parse(await File.ReadAllTextAsync(
            Path.Combine(Root, "tests", "Recordings", "pool-burst.nettrace.json"), TestContext.Current.CancellationToken))!;
        Rename(sideCar, Name);
        await File.WriteAllTextAsync(recording + ".json", sideCar.ToJsonString(), TestContext.Current.CancellationToken);
        var page = await chromium.OpenAsync(new Uri(await WriteAsync(recording)).AbsoluteUri, TestContext.Current.CancellationToken);
        Assert.Equal("undefined", (await page.EvaluateAsync("typeof hacked")).GetString());
        Assert.Equal(0, (await page.EvaluateAsync("document.images.length")).GetInt32());
        Assert.Equal(1, (await page.EvaluateAsync("document.scripts.length")).GetInt32());
        Assert.Contains(Name, (await page.EvaluateAsync("document.body.textContent")).GetString(), StringComparison.Ordinal);
        Assert.Empty(page.Requests);
        Assert.Empty(page.Complaints);
    }

    static void Rename(System.Text.Json.Nodes.JsonNode sideCar, string name)
    {
        var target = sideCar["target"] ?? sideCar;
        target["name"] = name;
        target["commandLine"] = $"{name} {name}";
    }

    static async Task<string> WriteAsync(string recording)
    {
        var file = Path.Combine(Path.GetTempPath(), $"tpwatch-{Path.GetRandomFileName()}.html");
        var run = await ToolRun.Of("report", recording, "--format", "html", "--show-command-line", "-o", file);
        Assert.Equal(0, run.Code);
        return file;
    }
}
