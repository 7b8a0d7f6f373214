using System.Net;
using System.Net.Sockets;

namespace Tpwatch.Serve;

/// <summary>What answers a request.</summary>
delegate Task<HttpReply> Answer(RequestHead request, IPAddress from, CancellationToken cancel);

/// <summary>One request and its answer on a connection, which is closed then. Every step has a limit of time.</summary>
sealed class Exchange(Socket socket, Answer answer, TimeProvider time)
{
    /// <summary>A head comes in one piece or two; who sends it byte by byte wants to hold a place.</summary>
    static readonly TimeSpan HeadLimit = TimeSpan.FromSeconds(3);

    /// <summary>
    /// For the whole answer, a megabyte at most, or a piece of one that goes on: slower is nobody who wants it within a scrape's own
    /// limit of 10 s.
    /// </summary>
    static readonly TimeSpan SendLimit = TimeSpan.FromSeconds(10);

    /// <summary>Until the other side has closed as well; a connection closed with bytes unread would take the answer with it.</summary>
    static readonly TimeSpan CloseLimit = TimeSpan.FromSeconds(1);

    const int MostIgnored = 1 << 16;

    const int PieceBytes = 1 << 16;

    readonly byte[] buffer = new byte[RequestHead.MostBytes];

    /// <summary>Reads, answers, closes; never throws but for <paramref name="cancel"/>.</summary>
    public async Task RunAsync(CancellationToken cancel)
    {
        try
        {
            var head = await HeadAsync(cancel);
            if (head.Reply is null && head.Request is null)
            {
                return;
            }

            var reply = head.Reply ?? await answer(head.Request!, From, cancel);
            await SendAsync(reply, withBody: head.Request?.Method != "HEAD", cancel);
            await CloseAsync(cancel);
        }
        catch (Exception e) when (e is SocketException or IOException
            || (e is OperationCanceledException && !cancel.IsCancellationRequested))
        {
            // The other side is gone, or too slow: nobody is there to be told.
        }
    }

    IPAddress From => socket.RemoteEndPoint is IPEndPoint { Address: var from }
        ? from.IsIPv4MappedToIPv6 ? from.MapToIPv4() : from
        : IPAddress.None;

    // Neither request nor reply: the connection was opened and closed, as who looks whether the port is open does.
    async Task<Incoming> HeadAsync(CancellationToken cancel)
    {
        using var limit = Limited(HeadLimit, cancel, out var either);
        using var _ = either;
        var length = 0;
        try
        {
            while (true)
            {
                var read = await socket.ReceiveAsync(buffer.AsMemory(length), either.Token);
                length += read;
                if (buffer.AsSpan(0, length).IndexOf("\r\n\r\n"u8) is >= 0 and var end)
                {
                    var (request, refusal) = RequestHead.Parse(buffer.AsSpan(0, end));
                    return refusal is null ? new(request, null) : new(null, HttpReply.Say(400, refusal));
                }

                if (read == 0)
                {
                    return new(null, length == 0 ? null : HttpReply.Say(400, "the request is incomplete"));
                }

                if (length == buffer.Length)
                {
                    return new(null, HttpReply.Say(431, "the request headers are too long"));
                }
            }
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            return new(null, HttpReply.Say(408, "the request did not arrive within 3 s"));
        }
    }

    async Task SendAsync(HttpReply reply, bool withBody, CancellationToken cancel)
    {
        await using var flow = reply.Flow;
        using (Limited(SendLimit, cancel, out var either))
        {
            using var _ = either;
            await WriteAsync(reply.Head(), either.Token);
            if (withBody)
            {
                await WriteAsync(reply.Body, either.Token);
            }
        }

        if (flow is not null)
        {
            await SendAsync(flow, cancel);
        }
    }

    async Task SendAsync(IFlow flow, CancellationToken cancel)
    {
        using var gone = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        var leaving = LeaveAsync(gone);
        try
        {
            await PassAsync(flow, gone.Token);
        }
        finally
        {
            await gone.CancelAsync();
            await leaving;
        }
    }

    async Task PassAsync(IFlow flow, CancellationToken cancel)
    {
        var piece = new byte[PieceBytes];
        while (await flow.ReadAsync(piece, cancel) is > 0 and var read)
        {
            using var limit = Limited(SendLimit, cancel, out var either);
            using var _ = either;
            await WriteAsync(piece.AsMemory(0, read), either.Token);
        }
    }

    // Who has asked has nothing more to say: its end is all that is to come, and nobody else tells that it is gone while nothing is sent.
    async Task LeaveAsync(CancellationTokenSource gone)
    {
        try
        {
            await IgnoreAsync(gone.Token);
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            // Gone in another way, or everything is sent.
        }

        await gone.CancelAsync();
    }

    async Task WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancel)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[await socket.SendAsync(bytes, cancel)..];
        }
    }

    async Task CloseAsync(CancellationToken cancel)
    {
        using var limit = Limited(CloseLimit, cancel, out var either);
        using var _ = either;
        socket.Shutdown(SocketShutdown.Send);
        await IgnoreAsync(either.Token);
    }

    async Task IgnoreAsync(CancellationToken cancel)
    {
        var ignored = 0;
        while (ignored < MostIgnored && await socket.ReceiveAsync(buffer.AsMemory(), cancel) is > 0 and var read)
        {
            ignored += read;
        }
    }

    CancellationTokenSource Limited(TimeSpan span, CancellationToken cancel, out CancellationTokenSource either)
    {
        var limit = new CancellationTokenSource(span, time);
        either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        return limit;
    }

    sealed record Incoming(RequestHead? Request, HttpReply? Reply);
}
