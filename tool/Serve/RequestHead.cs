using System.Text;

namespace Tpwatch.Serve;

/// <summary>
/// The head of a request, read strictly: what is not exactly as the standard has it, or is more than our pages need, is refused. Nobody
/// who means well sends it, and every leniency has once been somebody's way in.
/// </summary>
/// <param name="Method">GET, HEAD and so on.</param>
/// <param name="Path">Begins with a slash; letters, digits and <c>._~-/</c> alone.</param>
/// <param name="Query">What stands behind the question mark; empty when nothing does.</param>
/// <param name="Headers">By their names in lower case.</param>
sealed record RequestHead(string Method, string Path, string Query, IReadOnlyDictionary<string, string> Headers)
{
    /// <summary>All of it, bytes: a scraper's takes 400.</summary>
    public const int MostBytes = 8192;

    const int MostHeaders = 64;
    const int LongestTarget = 512;

    /// <summary>A header's value; empty when it was not sent.</summary>
    public string this[string name] => Headers.GetValueOrDefault(name, "");

    /// <summary>Reads it, without the empty line at its end; a sentence instead where it cannot be read.</summary>
    public static (RequestHead? Head, string? Refusal) Parse(ReadOnlySpan<byte> bytes)
    {
        foreach (var b in bytes)
        {
            if (b is >= 0x7F or < 0x20 and not (byte)'\r' and not (byte)'\n' and not (byte)'\t')
            {
                return (null, "the request has invalid bytes");
            }
        }

        var lines = Encoding.ASCII.GetString(bytes).Split("\r\n");
        return Array.Exists(lines, line => line.AsSpan().IndexOfAny('\r', '\n') >= 0)
            ? (null, "a line of the HTTP request does not end with CR LF")
            : lines[0].Split(' ') is [{ Length: > 0 } method, var target, "HTTP/1.1" or "HTTP/1.0"] && method.All(char.IsAsciiLetterUpper)
            ? Parse(method, target, lines)
            : (null, "the first line is not an HTTP/1.1 request");
    }

    static (RequestHead? Head, string? Refusal) Parse(string method, string target, string[] lines)
    {
        var (path, query) = target.IndexOf('?', StringComparison.Ordinal) is >= 0 and var at
            ? (target[..at], target[(at + 1)..])
            : (target, "");
        if (target.Length > LongestTarget || !IsPath(path) || !query.All(c => IsPlain(c) || c is '=' or '&'))
        {
            return (null, "the path has characters that no page of tpwatch has");
        }

        if (Fields(lines[1..]) is not { } headers)
        {
            return (null, "the request has an invalid header");
        }

        return lines[0].EndsWith('1') && !headers.ContainsKey("host")
            ? (null, "the request has no Host header")
            : headers.ContainsKey("transfer-encoding") || headers.GetValueOrDefault("content-length", "0") != "0"
            ? (null, "a request to tpwatch must not have a body")
            : (new(method, path, query, headers), null);
    }

    static bool IsPath(string path) => path.StartsWith('/') && !path.Contains("..", StringComparison.Ordinal)
        && !path.Contains("//", StringComparison.Ordinal)
        && path.All(c => IsPlain(c) || c == '/');

    static bool IsPlain(char c) => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '~' or '-';

    // One of a kind: two of one name are a way to be understood differently by two who read.
    static Dictionary<string, string>? Fields(string[] lines)
    {
        Dictionary<string, string> fields = [];
        foreach (var line in lines)
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon <= 0 || !line[..colon].All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_')
                || fields.Count == MostHeaders || !fields.TryAdd(line[..colon].ToLowerInvariant(), line[(colon + 1)..].Trim(' ', '\t')))
            {
                return null;
            }
        }

        return fields;
    }
}
