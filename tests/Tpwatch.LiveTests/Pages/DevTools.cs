using System.Collections.Concurrent;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Tpwatch.LiveTests.Pages;

/// <summary>A browser's own protocol for tools, over its web socket: commands and their answers, and the events between.</summary>
sealed class DevTools : IAsyncDisposable
{
    static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(30);

    readonly ClientWebSocket socket = new();
    readonly ConcurrentDictionary<int, TaskCompletionSource<JsonElement>> open = new();
    readonly CancellationTokenSource end = new();
    Task reading = Task.CompletedTask;
    int last;

    /// <summary>Everything that happened in any tab, by the session that is attached to it, oldest first.</summary>
    public ConcurrentQueue<(string? Session, string Method, JsonElement Parameters)> Events { get; } = new();

    public static async Task<DevTools> ConnectAsync(string address, CancellationToken cancel)
    {
        var tools = new DevTools();
        await tools.socket.ConnectAsync(new Uri(address), cancel);
        tools.reading = tools.ReadAsync();
        return tools;
    }

    /// <summary>Sends a command; its result.</summary>
    public async Task<JsonElement> AskAsync(string method, JsonObject? parameters = null, string? session = null)
    {
        var id = Interlocked.Increment(ref last);
        var answer = open[id] = new(TaskCreationOptions.RunContinuationsAsynchronously);
        var message = new JsonObject { ["id"] = id, ["method"] = method, ["params"] = parameters ?? [] };
        if (session is not null)
        {
            message["sessionId"] = session;
        }

        await socket.SendAsync(Encoding.UTF8.GetBytes(message.ToJsonString()), WebSocketMessageType.Text, endOfMessage: true, end.Token);
        return await answer.Task.WaitAsync(AnswerLimit);
    }

    public async ValueTask DisposeAsync()
    {
        await end.CancelAsync();
        socket.Dispose();
        await reading;
        end.Dispose();
    }

    async Task ReadAsync()
    {
        var buffer = new byte[1 << 16];
        using var message = new MemoryStream();
        try
        {
            while (await socket.ReceiveAsync(buffer.AsMemory(), end.Token) is { MessageType: WebSocketMessageType.Text } part)
            {
                message.Write(buffer, 0, part.Count);
                if (part.EndOfMessage)
                {
                    Take(JsonDocument.Parse(message.ToArray()).RootElement);
                    message.SetLength(0);
                }
            }
        }
        catch (Exception e) when (e is OperationCanceledException or WebSocketException or ObjectDisposedException)
        {
            // The browser has gone, or we go.
        }
    }

    void Take(JsonElement message)
    {
        if (message.TryGetProperty("method", out var method))
        {
            Events.Enqueue((message.TryGetProperty("sessionId", out var session) ? session.GetString() : null,
                method.GetString()!, message.GetProperty("params")));
        }
        else if (open.TryRemove(message.GetProperty("id").GetInt32(), out var waiting))
        {
            if (message.TryGetProperty("error", out var error))
            {
                waiting.SetException(new InvalidOperationException(error.GetRawText()));
            }
            else
            {
                waiting.SetResult(message.GetProperty("result"));
            }
        }
    }
}
