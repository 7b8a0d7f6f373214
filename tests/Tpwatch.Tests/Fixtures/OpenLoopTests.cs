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

    /// <summary>The server answers nobody before it has read so many.</summary>
    const int Unanswered = 30;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    readonly TcpListener server = new(IPAddress.Loopback, 0);
    readonly ConcurrentBag<(string Path, long At)> read = [];

    [Fact]
    public void A_server_that_stands_still_slows_its_answers_and_not_its_load()
    {
        server.Start();
        Run(Accept);
        var answers = new ConcurrentBag<Answer>();
        var stop = new StopSignal();
        var schedule = new Schedule(Stopwatch.GetTimestamp(), Rate, Count, ["/slow/{id}", "/slow/{id}", "/ping/{id}"]);
        var load = Run(() => new OpenLoop(server.LocalEndpoint, schedule, answers.Add).Run(stop));
        Assert.True(load.Join(Limit));

        Assert.Equal(Enumerable.Range(0, Count), answers.Select(a => a.Id).Order());
        Assert.Equal(Enumerable.Range(0, Count).Select(id => id % 3 == 2 ? $"/ping/{id}" : $"/slow/{id}").Order(StringComparer.Ordinal),
            read.Select(r => r.Path).Order(StringComparer.Ordinal));
        Assert.All(answers, a => Assert.Equal((schedule.At(a.Id), 204), (a.Due, a.Status)));
        // They came though nobody had an answer yet, and the first has waited since it was due.
        Assert.True(read.Select(r => r.At).Order().ElementAt(Unanswered - 1) <= answers.Min(a => a.At));
        Assert.InRange(Ms(answers.Single(a => a.Id == 0)), (Unanswered - 1) * 1000.0 / Rate, Limit.TotalMilliseconds);
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

    public void Dispose() => server.Dispose();

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
                    while (read.Count < Unanswered)
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
