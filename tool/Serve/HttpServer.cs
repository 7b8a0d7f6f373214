using System.Net.Sockets;
using System.Net;
using System.Security.Cryptography;
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

    /// <summary>Maximum size of the headers of a request, bytes. The headers of a scraper take 400 bytes.</summary>
    const int MostHeaderBytes = 8192;

    /// <summary>Size of the receive buffer, bytes: above the header limit, so a client with longer headers still gets a reply.</summary>
    const int MostUnread = 1 << 17;

    const int MostHeaders = 64;

    /// <summary>Minimum rate at which a client must read, bytes per second; a megabyte then takes a maximum of 100 s.</summary>
    const int SlowestReader = 10_000;

    /// <summary>Time limit for a client to send its headers, so that a slow client does not occupy a connection.</summary>
    static readonly TimeSpan HeaderLimit = TimeSpan.FromSeconds(3);

    /// <summary>Time for which a client may read more slowly than the minimum rate: half of the 10 s that a scrape may take.</summary>
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

    // Sends a reply. No cache may store the reply, and a browser must not guess its type, show it in a frame or pass on its address.
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

/// <summary>
/// Decides which requests are answered. A request from another machine must carry the token. A request without the token must come from
/// this machine, with a host name of this machine. Otherwise, a page of another site could call serve through a browser of this machine,
/// under the host name of that site.
/// </summary>
/// <param name="token">The token; null if the user gave none, so that no request from another machine is answered.</param>
sealed class HttpAccess(byte[]? token)
{
    const string Scheme = "Bearer ";
    const int ShortestToken = 16;
    const int LongestToken = 1024;

    /// <summary>Reads the token from a file.</summary>
    /// <exception cref="UserErrorException">The file cannot be read, or holds no valid token.</exception>
    public static byte[] TokenOf(string file)
    {
        string text;
        try
        {
            using var reader = File.OpenText(file);
            var read = new char[LongestToken + 2];
            text = new string(read, 0, reader.ReadBlock(read)).Trim();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UserErrorException($"the token cannot be read from {file}: {e.Message}", Hint, ExitCode.Arguments, e);
        }

        return text.Length is < ShortestToken or > LongestToken || !text.All(c => c is > ' ' and < '\x7F')
            ? throw new UserErrorException($"{file} does not hold a token of {ShortestToken} to {LongestToken} visible characters",
                Hint, ExitCode.Arguments)
            : Encoding.ASCII.GetBytes(text);
    }

    /// <summary>Throws if other machines can reach the address and no token protects the server.</summary>
    /// <exception cref="UserErrorException">The address is not a loopback address, and there is no token.</exception>
    public static void MustBeSafe(IPEndPoint address, string? tokenFile)
    {
        if (!IPAddress.IsLoopback(address.Address) && tokenFile is null)
        {
            throw new UserErrorException($"other machines can reach {address}, and no token was given",
                "give --token-file FILE, or listen on 127.0.0.1", ExitCode.Arguments);
        }
    }

    /// <summary>Returns the reply that refuses a request; null if the request is allowed.</summary>
    public HttpReply? Refusal(HttpRequest request)
    {
        var peer = request.HttpContext.Connection.RemoteIpAddress ?? IPAddress.None;
        var from = peer.IsIPv4MappedToIPv6 ? peer.MapToIPv4() : peer;
        var given = request.Headers.Authorization.ToString();
        if (given.Length > 0 || !IPAddress.IsLoopback(from))
        {
            return IsToken(given) ? null : HttpReply.Say(401, "the bearer token is missing or wrong") with
            {
                Extra = new("WWW-Authenticate", "Bearer"),
            };
        }

        return IsOurName(request.Headers.Host.ToString()) ? null : HttpReply.Say(403, "without a token, "
            + "only requests to 127.0.0.1 and localhost are answered");
    }

    bool IsToken(string given) => token is not null && given.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase)
        && CryptographicOperations.FixedTimeEquals(Encoding.ASCII.GetBytes(given[Scheme.Length..].Trim()), token);

    // Whether the requested host is this machine. HTTP/1.0 names no host. An IP address is allowed, because it is no site's name.
    static bool IsOurName(string host) => host.Length == 0
        || IPEndPoint.TryParse(host, out _)
        || host.Split(':')[0].Equals("localhost", StringComparison.OrdinalIgnoreCase);

    const string Hint = "write one: head -c 24 /dev/urandom | base64 > FILE; chmod 600 FILE";
}
