using System.Net;
using System.Net.Sockets;
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
using BadHttpRequestException = Microsoft.AspNetCore.Http.BadHttpRequestException;

namespace Tpwatch.Serve;

/// <summary>
/// Hosts Kestrel without the generic host: no configuration, environment variables, logging or signal handlers. Each connection
/// carries one request, and a request must not have a body.
/// </summary>
sealed class HttpServer : IHttpApplication<HttpContext>, IAsyncDisposable
{
    /// <summary>Maximum number of connections. Each takes some kilobytes and a descriptor. Kestrel closes further connections.</summary>
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

    readonly RequestDelegate answer;
    readonly CancellationTokenSource end = new();
    readonly KestrelServer server;

    public HttpServer(IPEndPoint address, RequestDelegate answer)
    {
        (this.answer, Address) = (answer, address);
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
    }

    /// <summary>The address that the server listens on; a requested port 0 is replaced by the actual port.</summary>
    public IPEndPoint Address { get; private set; }

    /// <exception cref="UserErrorException">The server cannot listen on the address, for example because it is in use.</exception>
    public async Task StartAsync()
    {
        try
        {
            await server.StartAsync(this, CancellationToken.None);
            var told = server.Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.First();
            Address = new(Address.Address, new Uri(told).Port);
        }
        catch (Exception e) when (Socket(e) is { } why)
        {
            throw new UserErrorException(why.SocketErrorCode switch
            {
                SocketError.AddressAlreadyInUse => $"{Address} is in use by another program",
                SocketError.AccessDenied => $"this user may not listen on {Address}",
                SocketError.AddressNotAvailable => $"{Address} is not an address of this machine",
                _ => $"tpwatch cannot listen on {Address}: {why.Message}",
            }, "name another address: --listen 127.0.0.1:9465", ExitCode.Arguments, e);
        }
    }

    public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

    public async Task ProcessRequestAsync(HttpContext context)
    {
        using var gone = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, end.Token);
        context.RequestAborted = gone.Token;
        // No cache may store a reply. A browser must not guess the type of a reply, show it in a frame or pass on its address.
        var headers = context.Response.Headers;
        headers.Connection = "close";
        headers.CacheControl = "no-store";
        headers.XContentTypeOptions = "nosniff";
        headers.XFrameOptions = "DENY";
        headers["Referrer-Policy"] = "no-referrer";
        try
        {
            await answer(context);
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

    static SocketException? Socket(Exception? e) => e is null or SocketException ? e as SocketException : Socket(e.InnerException);
}

static class HttpReply
{
    public static Task SayAsync(this HttpContext http, int status, string sentence) =>
        http.SendAsync(status, "text/plain; charset=utf-8", Encoding.UTF8.GetBytes(sentence + "\n"));

    public static async Task SendAsync(this HttpContext http, int status, string type, byte[] body)
    {
        (http.Response.StatusCode, http.Response.ContentType, http.Response.ContentLength) = (status, type, body.Length);
        await http.Response.Body.WriteAsync(body, http.RequestAborted);
    }
}

/// <summary>
/// Decides which requests are answered. A request from another machine must carry the token. A request without the token must come from
/// this machine, with a host name of this machine. This prevents DNS rebinding: a web page of another site could otherwise call serve
/// through a browser on this machine.
/// </summary>
/// <param name="token">The token; null if the user gave none, so that requests from other machines are refused.</param>
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

    /// <summary>Throws if a request is refused.</summary>
    /// <exception cref="BadHttpRequestException">The token is missing or wrong, or the host name is not one of this machine.</exception>
    public void MustBeAllowed(HttpContext http)
    {
        var peer = http.Connection.RemoteIpAddress ?? IPAddress.None;
        var from = peer.IsIPv4MappedToIPv6 ? peer.MapToIPv4() : peer;
        var given = http.Request.Headers.Authorization.ToString();
        if (given.Length == 0 && IPAddress.IsLoopback(from))
        {
            if (!IsOurName(http.Request.Headers.Host.ToString()))
            {
                throw new BadHttpRequestException("without a token, only requests to 127.0.0.1 and localhost are answered", 403);
            }
        }
        else if (!IsToken(given))
        {
            http.Response.Headers.WWWAuthenticate = "Bearer";
            throw new BadHttpRequestException("the bearer token is missing or wrong", 401);
        }
    }

    bool IsToken(string given) => token is not null && given.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase)
        && CryptographicOperations.FixedTimeEquals(Encoding.ASCII.GetBytes(given[Scheme.Length..].Trim()), token);

    // Whether the host is this machine. HTTP/1.0 requests name no host. Any IP address is allowed, because DNS rebinding needs a name.
    static bool IsOurName(string host) => host.Length == 0
        || IPEndPoint.TryParse(host, out _)
        || host.Split(':')[0].Equals("localhost", StringComparison.OrdinalIgnoreCase);

    const string Hint = "write one: head -c 24 /dev/urandom | base64 > FILE; chmod 600 FILE";
}
