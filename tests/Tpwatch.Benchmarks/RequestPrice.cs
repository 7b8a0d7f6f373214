using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Figures;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Targets;
using Tpwatch.Watch;

namespace Tpwatch.Benchmarks;

/// <summary>
/// What watching requests costs a server whose endpoint does nothing: requests per processor-second of the target with the session
/// against without, in pairs, beside pairs without any, at 20 000 a second and at as many as go.
/// </summary>
static class RequestPrice
{
    const int DefaultPairs = 8;
    const double Rate = 20_000;
    static readonly TimeSpan Window = TimeSpan.FromSeconds(2);
    static readonly TimeSpan Settle = TimeSpan.FromSeconds(0.5);

    public static async Task<int> RunAsync(string[] args)
    {
        var pairs = args.Select(a => int.TryParse(a, NumberStyles.None, CultureInfo.InvariantCulture, out var n) ? n : 0)
            .DefaultIfEmpty().Max() is > 0 and var asked ? asked : DefaultPairs;
        var load = MachineWords.LoadNow();
        RequestRow[] rows = [await AtAsync(Rate, pairs), await AtAsync(0, pairs)];
        var page = RequestPage.Of(rows, MachineWords.Of([], load));
        Console.WriteLine(page);
        if (args.Contains("--write"))
            await FiguresFile.WriteAsync(RequestPage.Name, page);
        return RequestPage.GoalsOf(rows).Conclude();
    }

    static async Task<RequestRow> AtAsync(double perSecond, int pairs)
    {
        var start = new ProcessStartInfo(BuiltPrograms.Host, [typeof(RequestPrice).Assembly.Location, RequestTarget.Name])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment["DOTNET_TieredPGO"] = "0";
        start.Environment["DOTNET_TieredCompilation"] = "0";
        using var target = Process.Start(start)!;
        try
        {
            var port = int.Parse((await target.StandardOutput.ReadLineAsync())!, CultureInfo.InvariantCulture);
            using var callers = new RequestCallers(port, perSecond);
            await Task.Delay(Window);
            List<double> with = [], nothing = [], rates = [];
            for (var pair = 0; pair < pairs; pair++)
            {
                with.Add(await PairAsync(target, rates, () => WithSessionAsync(target)));
                nothing.Add(await PairAsync(target, rates, () => MeasureAsync(target)));
            }

            return new(perSecond, new Spread(rates).Median, new(with), new(nothing));
        }
        finally
        {
            target.Kill();
            await target.WaitForExitAsync();
        }
    }

    static async Task<double> PairAsync(Process target, List<double> rates, Func<Task<(double PerCpuSecond, double PerSecond)>> with)
    {
        var without = await MeasureAsync(target);
        rates.Add(without.PerSecond);
        return (await with()).PerCpuSecond / without.PerCpuSecond;
    }

    // The session alone, as it is opened beside the first, without the guard that would end it; nobody decodes it meanwhile.
    static async Task<(double PerCpuSecond, double PerSecond)> WithSessionAsync(Process target)
    {
        var needs = SideStreamProbes.For(new WatchOptions { Depth = CaptureDepth.Requests }, Environment.Version.Major)!;
        await using var session = await LiveSession.OpenAsync(
            TargetFinder.ByPid(target.Id), _ => SessionNeeds.Side(needs.Probes), CancellationToken.None);
        _ = new CountingReader(session.Events);
        var measured = await MeasureAsync(target);
        await session.StopAsync(CancellationToken.None);
        return measured;
    }

    static async Task<(double PerCpuSecond, double PerSecond)> MeasureAsync(Process target)
    {
        await Task.Delay(Settle);
        var (stamp, before) = (Stopwatch.GetTimestamp(), await ReadAsync(target));
        await Task.Delay(Window);
        var (after, seconds) = (await ReadAsync(target), Stopwatch.GetElapsedTime(stamp).TotalSeconds);
        var served = after.Served - before.Served;
        return (served * 1000 / (after.CpuMs - before.CpuMs), served / seconds);
    }

    static async Task<(long Served, double CpuMs)> ReadAsync(Process target)
    {
        await target.StandardInput.WriteLineAsync("?");
        await target.StandardInput.FlushAsync();
        var line = await target.StandardOutput.ReadLineAsync();
        return (long.Parse(line!, CultureInfo.InvariantCulture), CpuClock.Ms(target.Id));
    }
}
