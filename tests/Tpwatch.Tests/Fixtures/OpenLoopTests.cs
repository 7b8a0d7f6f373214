using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Tpwatch.Fixtures.Running;
using Tpwatch.Fixtures.Services.Load;

namespace Tpwatch.Tests.Fixtures;

/// <summary>The load of the services: sent on schedule whatever the server does, and measured from the schedule.</summary>
public sealed class OpenLoopTests : IDisposable
{
    const int Rate = 100;
    const int Count = 60;

    /// <summary>The server stands still for so long once it has read its first request.</summary>
    const int StandstillMs = 500;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    readonly TcpListener server = new(IPAddress.Loopback, 0);
    readonly ConcurrentBag<(string Path, long At)> read = [];
    readonly ManualResetEventSlim stands = new(initialState: true);

    [Fact]
    public void A_server_that_stands_still_slows_its_answers_and_not_its_load()
    {
        server.Start();
        Run(Accept);
        var answers = new ConcurrentBag<Answer>();
        var stop = new StopSignal();
        var schedule = new Schedule(Stopwatch.GetTimestamp(), Rate, Count, ["/slow/{id}", "/slow/{id}", "/ping/{id}"]);
        Run(() =>
        {
            Thread.Sleep(StandstillMs);
            stands.Reset();
        });
        var load = Run(() => new OpenLoop(server.LocalEndpoint, schedule, answers.Add).Run(stop));
        Assert.True(load.Join(Limit));

        Assert.Equal(Enumerable.Range(0, Count), answers.Select(a => a.Id).Order());
        Assert.Equal(Enumerable.Range(0, Count).Select(id => id % 3 == 2 ? $"/ping/{id}" : $"/slow/{id}").Order(StringComparer.Ordinal),
            read.Select(r => r.Path).Order(StringComparer.Ordinal));
        Assert.All(answers, a => Assert.Equal((schedule.At(a.Id), 204), (a.Due, a.Status)));
        // Those that were due while it stood still had been sent before it went on: nobody waited for the first answer.
        var first = answers.Min(a => a.At);
        Assert.All(answers.Where(a => a.Due < first - (Stopwatch.Frequency / 4)), a => Assert.True(a.Sent < first));
        // The first request waited longest, each later one for what was left.
        var byId = answers.OrderBy(a => a.Id).ToArray();
        Assert.InRange(Ms(byId[0]), StandstillMs * 0.9, Limit.TotalMilliseconds);
        Assert.True(Ms(byId[0]) > Ms(byId[20]) && Ms(byId[20]) > Ms(byId[40]));
    }

    [Theory]
    [InlineData("HTTP/1.1 204 No Content\r\n\r\n", true)]
    [InlineData("HTTP/1.1 204 No Content\r\n", false)]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", false)]
    [InlineData("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc", true)]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", false)]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", true)]
    public void An_answer_is_whole_with_its_body(string text, bool isWhole) => Assert.Equal(isWhole, Connection.IsWhole(text));

    [Theory]
    [InlineData("7 10 20 30 200", true)]
    [InlineData("7 10 20 3", false)]
    [InlineData("7 10 20 30 20x", false)]
    [InlineData("", false)]
    public void A_line_that_was_cut_is_no_answer(string line, bool isOne) => Assert.Equal(isOne, Answer.Read(line)?.Line() == line);

    public void Dispose()
    {
        server.Dispose();
        stands.Dispose();
    }

    static double Ms(Answer answer) => (answer.At - answer.Due) * 1000.0 / Stopwatch.Frequency;

    void Accept()
    {
        try
        {
            while (true)
            {
                var caller = server.AcceptSocket();
                Run(() => Serve(caller));
            }
        }
        catch (SocketException)
        {
            // The test is over.
        }
    }

    void Serve(Socket caller)
    {
        using (caller)
        {
            var request = new byte[1_024];
            try
            {
                while (caller.Receive(request) is > 0 and var length)
                {
                    read.Add((System.Text.Encoding.ASCII.GetString(request, 4, length - 4).Split(' ')[0], Stopwatch.GetTimestamp()));
                    while (stands.IsSet)
                    {
                        Thread.Sleep(1);
                    }

                    caller.Send("HTTP/1.1 204 No Content\r\n\r\n"u8);
                }
            }
            catch (SocketException)
            {
                // The caller is gone.
            }
        }
    }

    static Thread Run(Action act)
    {
        var thread = new Thread(() => act()) { IsBackground = true };
        thread.Start();
        return thread;
    }
}
