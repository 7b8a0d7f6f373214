using System.Text.Json;
using System.Text.Json.Nodes;

namespace Tpwatch.LiveTests.Pages;

/// <summary>One tab.</summary>
sealed class Page(DevTools tools, string session)
{
    static readonly TimeSpan LoadLimit = TimeSpan.FromSeconds(40);

    /// <summary>What was asked of the network since the page was loaded, its own address left out.</summary>
    public IEnumerable<string> Requests => Events.Where(e => e.Method == "Network.requestWillBeSent")
        .Select(e => e.Parameters.GetProperty("request").GetProperty("url").GetString()!).Where(url => url != address && url != "data:,");

    /// <summary>What the page or the browser complained about.</summary>
    public IEnumerable<string> Complaints => Events.Where(e => e.Method switch
    {
        "Runtime.exceptionThrown" => true,
        "Runtime.consoleAPICalled" => e.Parameters.GetProperty("type").GetString() is "error" or "warning" or "assert",
        "Log.entryAdded" => e.Parameters.GetProperty("entry").GetProperty("level").GetString() is "error" or "warning",
        _ => false,
    }).Select(e => e.Parameters.GetRawText());

    string address = "";

    IEnumerable<(string? Session, string Method, JsonElement Parameters)> Events => tools.Events.Where(e => e.Session == session);

    public async Task LoadAsync(string url, CancellationToken cancel)
    {
        foreach (var domain in (string[])["Page", "Runtime", "Network", "Log"])
        {
            await AskAsync($"{domain}.enable");
        }

        address = url;
        await AskAsync("Page.navigate", new() { ["url"] = url });
        for (var waited = TimeSpan.Zero; await EvaluateAsync("location.href + document.readyState") is var state
            && state.GetString() != url + "complete"; waited += TimeSpan.FromMilliseconds(50))
        {
            Assert.True(waited < LoadLimit, $"{url} was not loaded within {LoadLimit.TotalSeconds} s: {state}");
            await Task.Delay(50, cancel);
        }
    }

    /// <summary>The value of an expression.</summary>
    public async Task<JsonElement> EvaluateAsync(string expression)
    {
        var answer = await AskAsync(
            "Runtime.evaluate", new() { ["expression"] = expression, ["returnByValue"] = true, ["awaitPromise"] = true });
        Assert.False(answer.TryGetProperty("exceptionDetails", out var wrong), $"{expression}: {wrong}");
        return answer.GetProperty("result").TryGetProperty("value", out var value) ? value : default;
    }

    /// <summary>Presses a key as a keyboard does.</summary>
    public async Task PressAsync(string key, int code)
    {
        foreach (var type in (string[])["keyDown", "keyUp"])
        {
            await AskAsync("Input.dispatchKeyEvent", new()
            {
                ["type"] = type, ["key"] = key, ["code"] = key, ["windowsVirtualKeyCode"] = code, ["nativeVirtualKeyCode"] = code,
                ["text"] = type == "keyDown" && key == "Enter" ? "\r" : "",
            });
        }
    }

    /// <summary>A picture of the whole page.</summary>
    public async Task<byte[]> PictureAsync(string scheme)
    {
        await AskAsync("Emulation.setEmulatedMedia", new()
        {
            ["features"] = new JsonArray(new JsonObject { ["name"] = "prefers-color-scheme", ["value"] = scheme }),
        });
        var picture = await AskAsync("Page.captureScreenshot", new() { ["format"] = "png", ["captureBeyondViewport"] = true });
        return picture.GetProperty("data").GetBytesFromBase64();
    }

    /// <summary>Bytes of the page on paper.</summary>
    public async Task<byte[]> PaperAsync() =>
        (await AskAsync("Page.printToPDF", new() { ["printBackground"] = true })).GetProperty("data").GetBytesFromBase64();

    Task<JsonElement> AskAsync(string method, JsonObject? parameters = null) => tools.AskAsync(method, parameters, session);
}
