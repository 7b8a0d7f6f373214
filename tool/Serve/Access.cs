using System.Net;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;

namespace Tpwatch.Serve;

/// <summary>
/// Decides which requests are answered. A request from another machine must carry the token. A request without the token must come from
/// this machine and under a name of this machine. Otherwise, a page of another site could make a browser of this machine call serve, under
/// the host name of that site.
/// </summary>
/// <param name="token">The token; null if the user gave none, so that no request from another machine is answered.</param>
sealed class Access(byte[]? token)
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

    // A request in HTTP/1.0 has no host. A request to an IP address is allowed, because no other site has an address as its name.
    static bool IsOurName(string host) => host.Length == 0
        || IPEndPoint.TryParse(host, out _)
        || host.Split(':')[0].Equals("localhost", StringComparison.OrdinalIgnoreCase);

    const string Hint = "write one: head -c 24 /dev/urandom | base64 > FILE; chmod 600 FILE";
}
