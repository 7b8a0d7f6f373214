using System.Buffers;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads events 3 and 4 of Kestrel: a request started, and was answered. Both events have the request's id, method, and path without the
/// query, so the end event alone describes a request that started before the session. Events of the hosting layer are not used: they have
/// no id, and their end event has no path.
/// </summary>
sealed class RequestProbe(ISideStreamSink requests, RouteNames names) : IProbe
{
    public const string Provider = "Microsoft-AspNetCore-Server-Kestrel";

    const int Started = 3;
    const int Stopped = 4;

    public ProviderNeed Need { get; } = new(Provider, ProviderNeed.Informational, 0);
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [Started] = 0, [Stopped] = 0 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Dynamic.AddCallbackForProviderEvents(
            (provider, _) => provider == Provider ? EventFilterResponse.AcceptEvent : EventFilterResponse.RejectProvider,
            e => Read(e, clock, sink));

    void Read(TraceEvent e, EventClock clock, IFactSink sink)
    {
        var id = (int)e.ID;
        if (id is not (Started or Stopped))
        {
            return;
        }

        // The payload is connection, request, version, path, method. TraceEvent's own access would allocate five strings per event.
        var rest = Text(e);
        if (!Next(ref rest, out _) || !Next(ref rest, out var request) || !Next(ref rest, out _) || !Next(ref rest, out var path)
            || !Next(ref rest, out var method))
        {
            sink.On(new EventUndecodable(clock.At(e), e.EventName));
            return;
        }

        var (key, route) = (RouteNames.Hash(request), names.Of(method, path));
        if (id == Started)
        {
            requests.On(new RequestStarted(clock.At(e), e.ThreadID, key, route));
        }
        else
        {
            requests.On(new RequestStopped(clock.At(e), e.ThreadID, key, route));
        }
    }

    static unsafe ReadOnlySpan<char> Text(TraceEvent e) =>
        MemoryMarshal.Cast<byte, char>(new ReadOnlySpan<byte>((void*)e.DataStart, e.EventDataLength));

    static bool Next(ref ReadOnlySpan<char> rest, out ReadOnlySpan<char> text)
    {
        var end = rest.IndexOf('\0');
        text = end < 0 ? [] : rest[..end];
        rest = end < 0 ? [] : rest[(end + 1)..];
        return end >= 0;
    }
}

/// <summary>
/// Builds route names from method and path. Path segments that identify, for example, one order or customer are replaced, unless the user
/// requested whole paths. Each name is allocated once; a query is never read.
/// </summary>
sealed class RouteNames(bool whole)
{
    /// <summary>Maximum number of route names. More names mean that the paths contain ids that are not recognized.</summary>
    public const int Most = 100;

    /// <summary>Name for all routes above the limit <see cref="Most"/>.</summary>
    public const string Others = "other paths";

    const int LongestMethod = 12;
    const int LongestPath = 200;

    /// <summary>From this number of digits on, a path segment counts as an id; a version such as <c>v2.1</c> has fewer digits.</summary>
    const int DigitsOfAnId = 4;

    /// <summary>
    /// From this length on, characters, a path segment counts as an id if one of its parts mixes letters and digits;
    /// <c>async-content-3</c> has no such part.
    /// </summary>
    const int LongWithDigits = 12;

    /// <summary>Length above which a path segment always counts as an id, characters.</summary>
    const int Long = 32;

    static readonly SearchValues<char> OfNumbers = SearchValues.Create("0123456789-.");

    const ulong Offset = 14695981039346656037;
    const ulong Prime = 1099511628211;

    readonly Dictionary<ulong, string> made = [];

    public string Of(ReadOnlySpan<char> method, ReadOnlySpan<char> path)
    {
        Span<char> name = stackalloc char[LongestMethod + 1 + LongestPath];
        var verb = method.Length <= LongestMethod && !method.ContainsAnyExceptInRange('A', 'Z') ? method : "?";
        verb.CopyTo(name);
        name[verb.Length] = ' ';
        var length = verb.Length + 1 + (whole ? Copy(path, name[(verb.Length + 1)..]) : Write(path, name[(verb.Length + 1)..]));
        var key = Hash(name[..length]);
        if (made.TryGetValue(key, out var known))
        {
            return known;
        }

        return made.Count >= Most ? Others : made[key] = new string(name[..length]);
    }

    /// <summary>Returns a 64-bit FNV-1a hash. The probability of any collision among a million names is less than 1 : 10 million.</summary>
    public static ulong Hash(ReadOnlySpan<char> text)
    {
        var hash = Offset;
        foreach (var c in text)
        {
            hash = (hash ^ c) * Prime;
        }

        return hash;
    }

    static int Copy(ReadOnlySpan<char> path, Span<char> to)
    {
        var length = Math.Min(path.Length, LongestPath);
        for (var i = 0; i < length; i++)
        {
            to[i] = char.IsControl(path[i]) ? '?' : path[i];
        }

        return length;
    }

    // Writes the path segment by segment and stops before the first segment that does not fit.
    static int Write(ReadOnlySpan<char> path, Span<char> to)
    {
        var length = 0;
        while (!path.IsEmpty)
        {
            var end = path[1..].IndexOf('/') is >= 0 and var next ? next + 1 : path.Length;
            var segment = path[0] == '/' ? path[1..end] : path[..end];
            var word = Word(segment);
            if (length + 1 + word.Length > Math.Min(to.Length, LongestPath))
            {
                break;
            }

            to[length++] = '/';
            word.CopyTo(to[length..]);
            length += word.Length;
            path = path[end..];
        }

        return length;
    }

    static ReadOnlySpan<char> Word(ReadOnlySpan<char> segment)
    {
        var (digits, plain, mixed) = (0, true, false);
        var (hasLetter, hasDigit) = (false, false);
        foreach (var c in segment)
        {
            var ends = c is '-' or '_' or '.' or '~';
            digits += char.IsAsciiDigit(c) ? 1 : 0;
            plain &= ends || char.IsAsciiLetterOrDigit(c);
            (hasLetter, hasDigit) = ends ? (false, false) : (hasLetter || char.IsAsciiLetter(c), hasDigit || char.IsAsciiDigit(c));
            mixed |= hasLetter && hasDigit;
        }

        return digits > 0 && !segment.ContainsAnyExcept(OfNumbers) ? "{n}"
            : !plain || digits >= DigitsOfAnId || segment.Length > Long || (mixed && segment.Length >= LongWithDigits) ? "{id}"
            : segment;
    }
}
