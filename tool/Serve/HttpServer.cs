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
/// Hosts Kestrel without the generic host: no configuration, environment variables, logging or signal handlers. Each connection
/// carries one request, and a request must not have a body.
/// </summary>
sealed class HttpServer : IHttpApplication<HttpContext>, IAsyncDisposable
{
    /// <summary>Maximum number of connections, each with some kilobytes and a descriptor. Kestrel closes further ones at once.</summary>
    const int MostConnections = 512;

    /// <summary>Maximum size of the headers of a request, bytes. The headers of a scraper take 400.</summary>
    const int MostHeaderBytes = 8192;

    /// <summary>Size of the receive buffer, bytes: above the header limit, so a client with longer headers still gets a reply.</summary>
    const int MostUnread = 1 << 17;

    const int MostHeaders = 64;

    /// <summary>Minimum rate at which a client must read, bytes per second; a megabyte then takes a maximum of 100 s.</summary>
    const int SlowestReader = 10_000;

    /// <summary>Time limit for a client to send its headers, so that a slow client does not occupy a connection.</summary>
    static readonly TimeSpan HeaderLimit = TimeSpan.FromSeconds(3);

    /// <summary>Time for which a client may read more slowly than the minimum rate; a scrape has a time limit of 10 s.</summary>
    static readonly TimeSpan ReadGrace = TimeSpan.FromSeconds(5);

    /// <summary>Time limit for requests in progress when serve ends; a recording ends within three seconds.</summary>
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

    /// <summary>The address that the server listens on; a requested port 0 is replaced by the actual port.</summary>
    public IPEndPoint Address { get; private set; }

    /// <summary>Starts the server.</summary>
    /// <exception cref="UserErrorException">The server cannot listen on the address, for example because it is in use.</exception>
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
            // The client disconnected or read too slowly, or serve stops: the reply is incomplete, so the connection is aborted.
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

    // No cache may store a reply, and a browser must not guess its type, show it in a frame or pass on its address.
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

/// <summary>An HTTP reply to send.</summary>
/// <param name="Status">The HTTP status code.</param>
/// <param name="Type">The content type.</param>
/// <param name="Body">The body.</param>
sealed record HttpReply(int Status, string Type, ReadOnlyMemory<byte> Body)
{
    /// <summary>An additional header; null if there is none.</summary>
    public (string Name, string Value)? Extra { get; init; }

    /// <summary>Callback that writes a body of unknown length, and frees the source of the body even if the client disconnects.</summary>
    public Func<Stream, CancellationToken, Task>? Flow { get; init; }

    public static HttpReply Say(int status, string sentence) =>
        new(status, "text/plain; charset=utf-8", Encoding.UTF8.GetBytes(sentence + "\n"));
}
