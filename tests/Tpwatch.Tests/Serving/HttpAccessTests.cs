using System.Net;
using System.Text;
using Microsoft.AspNetCore.Http;
using Tpwatch.Core;
using Tpwatch.Serve;

namespace Tpwatch.Tests.Serving;

/// <summary>Who may read: this machine under its own names, others with the token.</summary>
public sealed class HttpAccessTests
{
    const string Token = "0123456789abcdef";

    [Theory]
    [InlineData("127.0.0.1", "127.0.0.1:9464", "", true, 0)]
    [InlineData("127.0.0.1", "localhost", "", true, 0)]
    [InlineData("::1", "[::1]:9464", "", false, 0)]
    [InlineData("127.0.0.1", "rebound.example:9464", "", true, 403)]
    [InlineData("127.0.0.1", "rebound.example", "Bearer " + Token, true, 0)]
    [InlineData("127.0.0.1", "localhost", "Bearer wrong-wrong-wrong", true, 401)]
    [InlineData("10.1.2.3", "10.1.2.4:9464", "", true, 401)]
    [InlineData("10.1.2.3", "10.1.2.4:9464", "Bearer " + Token + "0", true, 401)]
    [InlineData("10.1.2.3", "10.1.2.4:9464", "Basic " + Token, true, 401)]
    [InlineData("10.1.2.3", "10.1.2.4:9464", "Bearer " + Token, true, 0)]
    [InlineData("10.1.2.3", "127.0.0.1", "", false, 401)]
    [InlineData("10.1.2.3", "127.0.0.1", "Bearer ", false, 401)]
    public void A_request_is_answered_or_refused(string from, string host, string authorization, bool hasToken, int status)
    {
        DefaultHttpContext asked = new() { Connection = { RemoteIpAddress = IPAddress.Parse(from) } };
        asked.Request.Headers.Host = host;
        if (authorization.Length > 0)
        {
            asked.Request.Headers.Authorization = authorization;
        }

        var refusal = Record.Exception(() => new HttpAccess(hasToken ? Encoding.ASCII.GetBytes(Token) : null).MustBeAllowed(asked));
        Assert.Equal(status, refusal is BadHttpRequestException refused ? refused.StatusCode : 0);
        Assert.Equal(status == 401, asked.Response.Headers.WWWAuthenticate.Count > 0);
    }

    [Theory]
    [InlineData("short")]
    [InlineData("")]
    [InlineData("0123456789 abcdef 0123")]
    public void A_file_that_holds_no_token_is_refused(string content)
    {
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, content);
            Assert.Equal(ExitCode.Arguments, Assert.Throws<UserErrorException>(() => HttpAccess.TokenOf(file)).ExitCode);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public void A_token_has_no_line_end()
    {
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, Token + "\n");
            Assert.Equal(Token, Encoding.ASCII.GetString(HttpAccess.TokenOf(file)));
        }
        finally
        {
            File.Delete(file);
        }
    }
}
