using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Tpwatch.Benchmarks;

/// <summary>
/// Callers on threads of their own, each with a connection: at a rate, one request after the other; behind its time a caller hurries.
/// </summary>
sealed class RequestCallers : IDisposable
{
    /// <summary>Each sends a few hundred a second, so that the callers themselves cost little.</summary>
    const int Callers = 24;

    static readonly byte[] EndOfHead = "\r\n\r\n"u8.ToArray();

    readonly Thread[] threads;
    volatile bool over;

    /// <param name="port">Of the server on the loopback.</param>
    /// <param name="perSecond">Of all together; 0 is as many as go.</param>
    public RequestCallers(int port, double perSecond)
    {
        threads =
        [
            .. Enumerable.Range(0, Callers).Select(n => new Thread(() => Call(port, n, perSecond / Callers)) { IsBackground = true }),
        ];
        foreach (var thread in threads)
            thread.Start();
    }

    public void Dispose()
    {
        over = true;
        foreach (var thread in threads)
            thread.Join();
    }

    void Call(int port, int caller, double perSecond)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(IPAddress.Loopback, port);
        var (start, answer) = (Stopwatch.GetTimestamp(), new byte[4096]);
        for (var sent = 0L; !over; sent++)
        {
            socket.Send(Encoding.ASCII.GetBytes(string.Create(
                CultureInfo.InvariantCulture, $"GET /orders/{caller * 1_000_000 + sent + 1} HTTP/1.1\r\nHost: target\r\n\r\n")));
            for (var length = 0; !answer.AsSpan(0, length).EndsWith(EndOfHead);)
                length += socket.Receive(answer, length, answer.Length - length, SocketFlags.None);
            var ahead = perSecond == 0 ? 0 : sent / perSecond - Stopwatch.GetElapsedTime(start).TotalSeconds;
            if (ahead > 0.001)
                Thread.Sleep(TimeSpan.FromSeconds(ahead));
        }
    }
}
