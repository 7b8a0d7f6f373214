using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Hostile;
using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Fleet;

/// <summary>
/// What being one of a fleet costs a busy process: items done with <c>serve</c> watching against without, in pairs, beside pairs with
/// <c>-p</c> that prints lines, and pairs without anybody. All in turn: what the machine does meanwhile hits all alike.
/// </summary>
static class FleetPrice
{
    static readonly TimeSpan Window = TimeSpan.FromSeconds(3);
    static readonly TimeSpan Settle = TimeSpan.FromSeconds(1);

    public static async Task<int> RunAsync(int pairs, bool write)
    {
        var words = MachineWords.LoadNow();
        await using var load = await LoadProcess.StartAsync(Environment.ProcessorCount * 4);
        await Task.Delay(Settle);
        List<Share> serve = [], lines = [], nobody = [];
        for (var pair = 0; pair < pairs; pair++)
        {
            serve.Add(await PairAsync(load, () => ServedAsync(load)));
            nobody.Add(await PairAsync(load, () => MeasureAsync(load)));
            lines.Add(await PairAsync(load, () => PrintedAsync(load)));
        }

        var page = FleetPage.Of(new FleetPrices(serve, lines, nobody), MachineWords.Of([], words));
        Console.WriteLine(page);
        if (write)
            await Figures.FiguresFile.WriteAsync(FleetPage.PriceName, page);
        return FleetPage.GoalsOf(serve, lines).Conclude();
    }

    static async Task<Share> PairAsync(LoadProcess load, Func<Task<Rate>> with)
    {
        var without = await MeasureAsync(load);
        var watched = await with();
        return new(watched.PerProcessorSecond / without.PerProcessorSecond, watched.PerSecond / without.PerSecond);
    }

    static async Task<Rate> MeasureAsync(LoadProcess load)
    {
        await Task.Delay(Settle);
        var (stamp, before) = (Stopwatch.GetTimestamp(), await load.ReadAsync());
        await Task.Delay(Window);
        var (after, seconds) = (await load.ReadAsync(), Stopwatch.GetElapsedTime(stamp).TotalSeconds);
        var items = after.Items - before.Items;
        return new(items * 1000 / (after.CpuMs - before.CpuMs), items / seconds);
    }

    static async Task<Rate> ServedAsync(LoadProcess load)
    {
        await using var watcher = await WatcherProcess.StartAsync(["-p", Text(load.Pid), "--older-than", "1s"]);
        return await WhileWatchedAsync(load);
    }

    static async Task<Rate> PrintedAsync(LoadProcess load)
    {
        using var lines = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, [BuiltPrograms.Tool, "-p", Text(load.Pid)])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task[] said = [lines.StandardOutput.ReadToEndAsync(), lines.StandardError.ReadToEndAsync()];
        try
        {
            return await WhileWatchedAsync(load);
        }
        finally
        {
            using var kill = Process.Start("kill", ["-s", "TERM", Text(lines.Id)]);
            await kill.WaitForExitAsync();
            await lines.WaitForExitAsync();
            await Task.WhenAll(said);
        }
    }

    static async Task<Rate> WhileWatchedAsync(LoadProcess load)
    {
        await OpenSessions.IsOpenAsync(load.Pid);
        return await MeasureAsync(load);
    }

    static string Text(int pid) => pid.ToString(CultureInfo.InvariantCulture);

    readonly record struct Rate(double PerProcessorSecond, double PerSecond);
}

/// <summary>What is left of a process's items while it is watched.</summary>
/// <param name="OfTarget">A second of its own processor time.</param>
/// <param name="OfMachine">A second, the watcher on the same processors.</param>
readonly record struct Share(double OfTarget, double OfMachine);

/// <summary>The pairs of each kind.</summary>
/// <param name="Serve">With a watcher of many.</param>
/// <param name="Lines">With one that prints lines.</param>
/// <param name="Nobody">Without anybody.</param>
sealed record FleetPrices(IReadOnlyList<Share> Serve, IReadOnlyList<Share> Lines, IReadOnlyList<Share> Nobody);
