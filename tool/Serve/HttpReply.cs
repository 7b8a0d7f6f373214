using System.Text;

namespace Tpwatch.Serve;

/// <summary>An answer.</summary>
/// <param name="Status">200, 404 and so on.</param>
/// <param name="Type">The kind of its body.</param>
/// <param name="Body">The body.</param>
sealed record HttpReply(int Status, string Type, ReadOnlyMemory<byte> Body)
{
    const string Plain = "text/plain; charset=utf-8";

    /// <summary>A line of its own in the head, without its end; null is none.</summary>
    public string? Extra { get; init; }

    /// <summary>What comes after the body while it is sent, of a length that nobody knows yet; who sends the answer disposes it.</summary>
    public IFlow? Flow { get; init; }

    public static HttpReply Say(int status, string sentence) => new(status, Plain, Encoding.UTF8.GetBytes(sentence + "\n"));

    /// <summary>The head as it is sent. Nothing is kept by anybody on the way, and no page of ours runs or loads anything.</summary>
    public byte[] Head() => Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"""
        HTTP/1.1 {Status} {Reason}
        Content-Type: {Type}
        {(Flow is null ? $"Content-Length: {Body.Length}\n" : "")}Cache-Control: no-store
        X-Content-Type-Options: nosniff
        X-Frame-Options: DENY
        Referrer-Policy: no-referrer
        Connection: close
        {(Extra is null ? "" : Extra + "\n")}

        """).ReplaceLineEndings("\r\n"));

    string Reason => Status switch
    {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    };
}
