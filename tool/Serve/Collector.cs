using System.IO.Compression;
using System.Net;

namespace Tpwatch.Serve;

/// <summary>What a collector said to a message.</summary>
/// <param name="Problem">Why it was not taken, as a part of a sentence; null where it was.</param>
/// <param name="IsPassing">Whether the same message may be taken later.</param>
readonly record struct CollectorAnswer(string? Problem, bool IsPassing);

/// <summary>A collector, to which messages are posted; whatever it does, an answer comes within a bound.</summary>
sealed class Collector : IDisposable
{
    /// <summary>Messages come every ten seconds.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(8);

    /// <summary>Nobody reads it; who sends more is no collector.</summary>
    const int LongestReply = 64 << 10;

    /// <summary>A collector may move to another machine behind its name.</summary>
    static readonly TimeSpan SameConnection = TimeSpan.FromMinutes(5);

    readonly HttpClient client = new(new SocketsHttpHandler { AllowAutoRedirect = false, PooledConnectionLifetime = SameConnection })
    {
        Timeout = Patience,
        MaxResponseContentBufferSize = LongestReply,
    };

    public async Task<CollectorAnswer> PostAsync(Uri to, ReadOnlyMemory<byte> message, CancellationToken cancel)
    {
        using var content = Content(message);
        try
        {
            using var reply = await client.PostAsync(to, content, cancel);
            return reply.IsSuccessStatusCode ? default : new(Said(reply.StatusCode), Passes(reply.StatusCode));
        }
        catch (TaskCanceledException) when (!cancel.IsCancellationRequested)
        {
            return new($"{to} did not answer within {Patience.TotalSeconds} s", IsPassing: true);
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            return new($"{to} could not be reached: {(e.InnerException ?? e).Message}", IsPassing: true);
        }
    }

    public void Dispose() => client.Dispose();

    static ByteArrayContent Content(ReadOnlyMemory<byte> message)
    {
        using var small = new MemoryStream();
        using (var zip = new GZipStream(small, CompressionLevel.Fastest))
        {
            zip.Write(message.Span);
        }

        return new(small.ToArray()) { Headers = { ContentType = new("application/x-protobuf"), ContentEncoding = { "gzip" } } };
    }

    static string Said(HttpStatusCode status) => FormattableString.Invariant($"the collector answered with status {(int)status}");

    // What OpenTelemetry names as worth another try.
    static bool Passes(HttpStatusCode status) => status is HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway
        or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout;
}
