using System.Collections.Concurrent;
using System.Diagnostics;
using System.IO.Compression;
using System.Net;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Fleet;

/// <summary>A collector on a port of its own, which answers as it is told to; messages are decoded by Debian's protoc.</summary>
sealed class OtlpCollector : IAsyncDisposable
{
    /// <summary>Longer than a flush of the exporter waits between two looks at its queue.</summary>
    static readonly TimeSpan Late = TimeSpan.FromSeconds(3);

    readonly HttpListener listener = new();
    readonly Task answering;

    OtlpCollector(int port)
    {
        Address = new($"http://127.0.0.1:{port}/");
        listener.Prefixes.Add(Address.AbsoluteUri);
        listener.Start();
        answering = AnswerAsync();
    }

    /// <summary>Whether protoc is there.</summary>
    public static bool CanDecode { get; } = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
        .Any(part => File.Exists(Path.Combine(part, "protoc")));

    public Uri Address { get; }

    /// <summary>The status of its answers.</summary>
    public HttpStatusCode Status { get; set; } = HttpStatusCode.OK;

    /// <summary>The status of its answers to logs, where it differs; these come only after a while.</summary>
    public HttpStatusCode? LateForLogs { get; set; }

    /// <summary>Metrics that it took, the newest last.</summary>
    public ConcurrentQueue<byte[]> Metrics { get; } = new();

    /// <summary>Logs that it took.</summary>
    public ConcurrentQueue<byte[]> Logs { get; } = new();

    /// <summary>What the last message brought to be let in.</summary>
    public string? Token { get; private set; }

    /// <summary>Messages that it did not take.</summary>
    public int Refused { get; private set; }

    public static OtlpCollector Start(int port = 0) => new(port == 0 ? FreePort.Find() : port);

    /// <summary>What a message says; fails where it holds a field that the protocol does not have.</summary>
    public static async Task<TextNode> DecodedAsync(byte[] message, string type, CancellationToken cancel)
    {
        var folder = Path.Combine(Packaging.SourceBuild.Root, "tests", "Tpwatch.LiveTests", "Fleet");
        using var protoc = Process.Start(new ProcessStartInfo("protoc", [$"--proto_path={folder}", $"--decode=otlp.{type}", "otlp.proto"])
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        var (output, error) = (protoc.StandardOutput.ReadToEndAsync(cancel), protoc.StandardError.ReadToEndAsync(cancel));
        await protoc.StandardInput.BaseStream.WriteAsync(message, cancel);
        protoc.StandardInput.Close();
        await protoc.WaitForExitAsync(cancel);
        Assert.True(protoc.ExitCode == 0, await error);
        var decoded = TextNode.Parse(await output);
        Assert.DoesNotContain(decoded.All(), node => char.IsAsciiDigit(node.Name[0]));
        return decoded;
    }

    public async ValueTask DisposeAsync()
    {
        listener.Close();
        await answering;
    }

    async Task AnswerAsync()
    {
        while (true)
        {
            try
            {
                await AnswerAsync(await listener.GetContextAsync());
            }
            catch (Exception e) when (e is HttpListenerException or ObjectDisposedException)
            {
                // Closed.
                return;
            }
        }
    }

    async Task AnswerAsync(HttpListenerContext asked)
    {
        using MemoryStream message = new();
        await using (GZipStream unzipped = new(asked.Request.InputStream, CompressionMode.Decompress))
        {
            await unzipped.CopyToAsync(message);
        }

        Token = asked.Request.Headers["x-token"];
        var isRight = asked.Request is { HttpMethod: "POST", ContentType: "application/x-protobuf" };
        var kept = asked.Request.Url!.AbsolutePath switch { "/v1/metrics" => Metrics, "/v1/logs" => Logs, _ => null };
        var status = isRight && kept is not null ? Status : HttpStatusCode.NotFound;
        if (kept == Logs && LateForLogs is { } late)
        {
            await Task.Delay(Late);
            status = late;
        }

        if (status == HttpStatusCode.OK)
        {
            kept!.Enqueue(message.ToArray());
        }
        else
        {
            Refused++;
        }

        asked.Response.StatusCode = (int)status;
        asked.Response.Close();
    }
}
