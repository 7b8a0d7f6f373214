using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Tpwatch.Events;
using Tpwatch.Lab.Figures;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Stacks;
using Tpwatch.Targets;
using Tpwatch.Watch;

namespace Tpwatch.Lab;

/// <summary>
/// What attaching costs a target. Saturated: items per processor-second of the target with a session against without, in pairs, beside
/// pairs without any session, which show how much the machine alone makes of it. Idle: processor time a second, and bytes of the stream.
/// And bursts of stacks. With --write the section of tests/SCORES.md is written, and what the pages for users tell of it.
/// </summary>
static class Price
{
    const int DefaultPairs = 12;
    static readonly TimeSpan Window = TimeSpan.FromSeconds(2);
    static readonly TimeSpan IdleWindow = TimeSpan.FromSeconds(20);

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (pairs, write) = (words.Number("--pairs", DefaultPairs), words.Has("--write"));
        if (words.Rest.Count > 0)
            return words.Refuse("price takes --pairs N and --write");
        var load = MachineWords.LoadNow();
        var (rows, stacked) = await SaturatedBothAsync(pairs);
        IdleRow[] idle = [await IdleAsync(".NET 10", Environment.Version.Major, LoadProcess.StartAsync(0)),
            await IdleAsync(".NET 8", 8, LoadProcess.StartAsync(0, TargetRuntime.Net8))];
        var bursts = (await BurstPrice.OfIdleAsync(), await BurstPrice.OfBlockedAsync());
        var page = PricePage.Of((rows, stacked), idle, bursts, MachineWords.Of(load));
        return await FiguresFile.ConcludeAsync(PricePage.Name, page, write, PricePage.GoalsOf(rows));
    }

    /// <summary>What saturated targets keep, on this runtime and on .NET 8.</summary>
    public static async Task<(PriceRows Now, StackedRows Net8)> SaturatedBothAsync(int pairs) =>
        (await SaturatedAsync(pairs), await OnNet8Async(pairs));

    static async Task<PriceRows> SaturatedAsync(int pairs)
    {
        await using var load = await LoadProcess.StartAsync(Environment.ProcessorCount * 4);
        var turns = new Turns(load, Window);
        await Task.Delay(Window);
        var (rate, shares) = await turns.TakeAsync(pairs,
            () => WithSessionAsync(turns, CaptureDepth.Basic), turns.MeasureAsync, () => WithSessionAsync(turns, CaptureDepth.Items));
        return new(shares[0].PerCpuSecond, shares[2].PerCpuSecond, shares[1].PerCpuSecond, rate);
    }

    // A process of its own, since two that are saturated would share the processors.
    static async Task<StackedRows> OnNet8Async(int pairs)
    {
        await using var load = await LoadProcess.StartAsync(Environment.ProcessorCount * 4, TargetRuntime.Net8);
        var turns = new Turns(load, Window);
        await Task.Delay(Window);
        // The session as it is there, without the guard that would end it at this rate.
        var needs = SideStreamProbes.For(new WatchOptions { Depth = CaptureDepth.Items }, runtimeMajor: 8)!;
        var plan = SessionNeeds.Plan(needs.Probes) with { WithoutStacks = false, BufferMb = 128 };
        var (rate, shares) = await turns.TakeAsync(pairs,
            () => WithSessionAsync(turns, CaptureDepth.Basic), () => turns.WithSessionAsync(plan));
        return new(shares[0].PerCpuSecond, shares[1].PerCpuSecond, rate);
    }

    static async Task<Stretch> WithSessionAsync(Turns turns, CaptureDepth depth)
    {
        await using var watch = await ThreadPoolWatch.AttachAsync(turns.Pid, new WatchOptions { Depth = depth }, CancellationToken.None);
        return await turns.MeasureAsync();
    }

    static async Task<IdleRow> IdleAsync(string runtime, int major, Task<LoadProcess> starting)
    {
        await using var target = await starting;
        await Task.Delay(Window);
        var without = await IdleCpuAsync(target.Pid, IdleWindow);
        // The first session makes the target compile the code that serves it; the second shows what stays.
        await IdleWithSessionAsync(target.Pid, major, Window);
        var (with, bytes) = await IdleWithSessionAsync(target.Pid, major, IdleWindow);
        return new(runtime, without, with, bytes);
    }

    static async Task<double> IdleCpuAsync(int pid, TimeSpan window)
    {
        var (cpu, stamp) = (Processes.CpuMs(pid), Stopwatch.GetTimestamp());
        await Task.Delay(window);
        return (Processes.CpuMs(pid) - cpu) / Stopwatch.GetElapsedTime(stamp).TotalSeconds;
    }

    static async Task<(double CpuMsPerSecond, double BytesPerSecond)> IdleWithSessionAsync(int pid, int major, TimeSpan window)
    {
        var plan = SessionNeeds.Plan(ProbeSet.Basic(major, WatchOptions.DefaultSampleInterval));
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(pid), _ => plan, CancellationToken.None);
        var counting = new CountingReader(session.Events);
        await Task.Delay(Window);
        var (bytes, stamp) = (counting.Bytes, Stopwatch.GetTimestamp());
        var cpu = await IdleCpuAsync(pid, window);
        var perSecond = (counting.Bytes - bytes) / Stopwatch.GetElapsedTime(stamp).TotalSeconds;
        await session.StopAsync(CancellationToken.None);
        return (cpu, perSecond);
    }
}

/// <summary>Bursts on a target that does nothing or waits, so that all of its processor time is theirs.</summary>
static class BurstPrice
{
    const int Bursts = 8;
    static readonly TimeSpan Apart = TimeSpan.FromSeconds(1);

    /// <summary>A worker each for as many items that block: what a burst is for.</summary>
    static readonly string[] Blocked = ["pool-burst", "--min", "60", "--items", "60", "--hold", "120000", "--seconds", "120"];

    public static async Task<BurstCost> OfIdleAsync()
    {
        await using var load = await LoadProcess.StartAsync(0);
        return await MeasureAsync(load.Pid);
    }

    public static async Task<BurstCost> OfBlockedAsync()
    {
        await using var fixture = await FixtureProcess.StartAsync(Environment.ProcessorCount, Blocked);
        await fixture.BeginAsync();
        await Task.Delay(Apart);
        return await MeasureAsync(fixture.Pid);
    }

    static async Task<BurstCost> MeasureAsync(int pid)
    {
        var plan = SessionNeeds.Plan(ProbeSet.Basic(Environment.Version.Major, null));
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(pid), _ => plan, CancellationToken.None);
        _ = new CountingReader(session.Events);
        var burst = new StackBurst(TimeProvider.System, Path.GetTempPath());

        // The first makes both sides compile the code that serves it.
        await burst.TakeAsync(session, CancellationToken.None);
        List<double> sampled = [], cpu = [], whole = [];
        var threads = 0;
        for (var n = 0; n < Bursts; n++)
        {
            await Task.Delay(Apart);
            var (before, stamp) = (Processes.CpuMs(pid), Stopwatch.GetTimestamp());
            var outcome = await burst.TakeAsync(session, CancellationToken.None);
            if (outcome.Samples is { } samples)
            {
                sampled.Add(samples.Ms);
                cpu.Add(Processes.CpuMs(pid) - before);
                whole.Add(Stopwatch.GetElapsedTime(stamp).TotalMilliseconds);
                threads = samples.Stacks.Select(s => s.ThreadId).Distinct().Count();
            }
        }

        await session.StopAsync(CancellationToken.None);
        return new(new(sampled), new(cpu), new(whole), threads);
    }
}

/// <summary>
/// What watching requests costs a server whose endpoint does nothing: requests per processor-second of the target with the session
/// against without, in pairs, beside pairs without any, at 20 000 a second and at as many as go.
/// </summary>
static class RequestPrice
{
    const int DefaultPairs = 8;
    const double Rate = 20_000;
    static readonly TimeSpan Window = TimeSpan.FromSeconds(2);

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (pairs, write) = (words.Number("--pairs", DefaultPairs), words.Has("--write"));
        if (words.Rest.Count > 0)
            return words.Refuse("requests takes --pairs N and --write");
        var load = MachineWords.LoadNow();
        RequestRow[] rows = [await AtAsync(Rate, pairs), await AtAsync(0, pairs)];
        var page = RequestPage.Of(rows, MachineWords.Of(load));
        return await FiguresFile.ConcludeAsync(RequestPage.Name, page, write, RequestPage.GoalsOf(rows));
    }

    static async Task<RequestRow> AtAsync(double perSecond, int pairs)
    {
        await using var target = await LoadProcess.StartAsync(
            new(BuiltPrograms.Host, [typeof(RequestPrice).Assembly.Location, RequestTarget.Name]));
        using var callers = new RequestCallers(int.Parse(target.Ready, CultureInfo.InvariantCulture), perSecond);
        var turns = new Turns(target, Window);
        await Task.Delay(Window);
        // The session alone, as it is opened beside the first, without the guard that would end it; nobody decodes it meanwhile.
        var needs = SideStreamProbes.For(new WatchOptions { Depth = CaptureDepth.Requests }, Environment.Version.Major)!;
        var (rate, shares) = await turns.TakeAsync(
            pairs, () => turns.WithSessionAsync(SessionNeeds.Side(needs.Probes)), turns.MeasureAsync);
        return new(perSecond, rate, shares[0].PerCpuSecond, shares[1].PerCpuSecond);
    }
}

/// <summary>The child of `requests`: a server with one endpoint that does nothing. Answers each line with the requests so far.</summary>
static class RequestTarget
{
    public const string Name = "request-target";

    public static async Task<int> RunAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        await using var app = builder.Build();
        var served = 0L;
        app.MapGet("/orders/{id}", (int id) =>
        {
            Interlocked.Increment(ref served);
            return id > 0 ? Results.NoContent() : Results.NotFound();
        });
        await app.StartAsync();
        Console.WriteLine(new Uri(app.Urls.Single()).Port.ToString(CultureInfo.InvariantCulture));
        while (await Console.In.ReadLineAsync() is not null)
            Console.WriteLine(Interlocked.Read(ref served).ToString(CultureInfo.InvariantCulture));
        return 0;
    }
}

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
            socket.Send(Encoding.ASCII.GetBytes($"GET /orders/{caller * 1_000_000 + sent + 1} HTTP/1.1\r\nHost: target\r\n\r\n"));
            for (var length = 0; !answer.AsSpan(0, length).EndsWith(EndOfHead);)
                length += socket.Receive(answer, length, answer.Length - length, SocketFlags.None);
            var ahead = perSecond == 0 ? 0 : sent / perSecond - Stopwatch.GetElapsedTime(start).TotalSeconds;
            if (ahead > 0.001)
                Thread.Sleep(TimeSpan.FromSeconds(ahead));
        }
    }
}
