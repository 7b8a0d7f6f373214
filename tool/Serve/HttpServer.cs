using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace Tpwatch.Serve;

/// <summary>
/// Kestrel alone, without a host around it: it reads no configuration and no environment, logs nothing and listens to no signals. One
/// request a connection, and no bodies of requests.
/// </summary>
sealed class HttpServer : IHttpApplication<HttpContext>, IAsyncDisposable
{
    /// <summary>Further connections are closed at once. Each takes some kilobytes, and a descriptor.</summary>
    const int MostConnections = 512;

    /// <summary>Bytes. The headers of a scraper take 400.</summary>
    const int MostHeaderBytes = 8192;

    /// <summary>Bytes. More than is read of the longest headers, so that the answer to longer ones still arrives.</summary>
    const int MostUnread = 1 << 17;

    const int MostHeaders = 64;

    /// <summary>Bytes a second that a client reads: a page of a megabyte takes 100 s at most.</summary>
    const int SlowestReader = 10_000;

    /// <summary>Headers come in one piece or two; a client that sends them byte by byte holds a place.</summary>
    static readonly TimeSpan HeaderLimit = TimeSpan.FromSeconds(3);

    /// <summary>A reader may pause so long; a scrape's own limit is 10 s.</summary>
    static readonly TimeSpan ReadGrace = TimeSpan.FromSeconds(5);

    /// <summary>Answers under way at the end get as long: a recording ends within three seconds.</summary>
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(4);

    readonly Func<HttpContext, CancellationToken, Task<HttpReply>> answer;
    readonly CancellationTokenSource end = new();
    readonly KestrelServer server;

    HttpServer(IPEndPoint address, Func<HttpContext, CancellationToken, Task<HttpReply>> answer)
    {
        this.answer = answer;
        KestrelServerOptions options = new()
        {
            AddServerHeader = false,
            Limits =
            {
                MaxConcurrentConnections = MostConnections,
                MaxConcurrentUpgradedConnections = 0,
                MaxRequestBodySize = 0,
                MaxRequestBufferSize = MostUnread,
                MaxRequestHeaderCount = MostHeaders,
                MaxRequestHeadersTotalSize = MostHeaderBytes,
                MaxRequestLineSize = MostHeaderBytes,
                RequestHeadersTimeout = HeaderLimit,
                KeepAliveTimeout = HeaderLimit,
                MinResponseDataRate = new(SlowestReader, ReadGrace),
            },
        };
        options.Listen(address, listen => listen.Protocols = HttpProtocols.Http1);
        SocketTransportFactory sockets = new(new OptionsWrapper<SocketTransportOptions>(new()), NullLoggerFactory.Instance);
        server = new(new OptionsWrapper<KestrelServerOptions>(options), sockets, NullLoggerFactory.Instance);
        Address = address;
    }

    /// <summary>Where it listens; the port is the real one where none was asked for.</summary>
    public IPEndPoint Address { get; private set; }

    /// <summary>Begins to listen and to answer.</summary>
    /// <exception cref="UserErrorException">The address is taken, or not ours.</exception>
    public static async Task<HttpServer> StartAsync(IPEndPoint address, Func<HttpContext, CancellationToken, Task<HttpReply>> answer)
    {
        HttpServer http = new(address, answer);
        try
        {
            await http.server.StartAsync(http, CancellationToken.None);
            var told = http.server.Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.First();
            http.Address = new(address.Address, new Uri(told).Port);
            return http;
        }
        catch (Exception e) when (Socket(e) is { } why)
        {
            await http.DisposeAsync();
            throw new UserErrorException(why.SocketErrorCode switch
            {
                SocketError.AddressAlreadyInUse => $"{address} is in use by another program",
                SocketError.AccessDenied => $"this user may not listen on {address}",
                SocketError.AddressNotAvailable => $"{address} is not an address of this machine",
                _ => $"tpwatch cannot listen on {address}: {why.Message}",
            }, "name another address: --listen 127.0.0.1:9465", ExitCode.Arguments, e);
        }
    }

    public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

    public async Task ProcessRequestAsync(HttpContext context)
    {
        using var gone = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, end.Token);
        try
        {
            await SendAsync(context.Response, await answer(context, gone.Token), gone.Token);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException)
        {
            // The client is gone or too slow, or serve stops: what was sent is no whole answer.
            context.Abort();
        }
    }

    public void DisposeContext(HttpContext context, Exception? exception)
    {
    }

    public async ValueTask DisposeAsync()
    {
        await end.CancelAsync();
        using CancellationTokenSource limit = new(StopLimit);
        await server.StopAsync(limit.Token);
        server.Dispose();
        end.Dispose();
    }

    // Nothing is kept by anybody on the way, and no page of ours runs or loads anything.
    static async Task SendAsync(HttpResponse to, HttpReply reply, CancellationToken cancel)
    {
        (to.StatusCode, to.ContentType) = (reply.Status, reply.Type);
        to.Headers.Connection = "close";
        to.Headers.CacheControl = "no-store";
        to.Headers.XContentTypeOptions = "nosniff";
        to.Headers.XFrameOptions = "DENY";
        to.Headers["Referrer-Policy"] = "no-referrer";
        if (reply.Extra is { } extra)
        {
            to.Headers[extra.Name] = extra.Value;
        }

        if (reply.Flow is { } flow)
        {
            await flow(to.Body, cancel);
            return;
        }

        to.ContentLength = reply.Body.Length;
        await to.Body.WriteAsync(reply.Body, cancel);
    }

    static SocketException? Socket(Exception? e) => e is null or SocketException ? e as SocketException : Socket(e.InnerException);
}

/// <summary>An answer.</summary>
/// <param name="Status">200, 404 and so on.</param>
/// <param name="Type">The kind of its body.</param>
/// <param name="Body">The body.</param>
sealed record HttpReply(int Status, string Type, ReadOnlyMemory<byte> Body)
{
    /// <summary>One more header; null is none.</summary>
    public HttpHeader? Extra { get; init; }

    /// <summary>Writes a body of a length that nobody knows yet, and ends what it comes from, also where the client is gone.</summary>
    public Func<Stream, CancellationToken, Task>? Flow { get; init; }

    public static HttpReply Say(int status, string sentence) =>
        new(status, "text/plain; charset=utf-8", Encoding.UTF8.GetBytes(sentence + "\n"));
}

/// <summary>A header of an answer.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value.</param>
sealed record HttpHeader(string Name, string Value);
