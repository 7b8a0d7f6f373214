using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Core;
using Tpwatch.Inside;

namespace Tpwatch.Benchmarks;

/// <summary>
/// What readings of its memory cost a target: items per processor-second and the longest of its ticks of 1 ms, in stretches with a reading
/// every second and without, in pairs, beside pairs without any. And readers that are killed at random moments. Written to
/// tests/INSIDE-PRICE.md.
/// </summary>
static class InsidePrice
{
    const int DefaultPairs = 12;
    const int DefaultKills = 200;

    /// <summary>A cold reader takes about so long; some are killed before they read, some while, some after.</summary>
    const int KillWithinMs = 800;

    static readonly TimeSpan Window = TimeSpan.FromSeconds(4);
    static readonly TimeSpan Apart = TimeSpan.FromSeconds(1);

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (pairs, kills, dry) = (words.Number("--pairs", DefaultPairs), words.Number("--kills", DefaultKills), words.Has("--dry"));
        var tool = words.File("--tool") ?? BuiltPrograms.Tool;
        var answers = new Answers();
        if (words.Rest.Count > 0)
            return words.Refuse("inside takes --pairs N, --kills N, --tool FILE, --dry");
        var load = MachineWords.LoadNow();
        List<string> rows = [];
        foreach (var (what, chains) in new[] { ("idle", 0), ("saturated", Environment.ProcessorCount * 4) })
            rows.AddRange(await PairsAsync(what, chains, pairs, tool, answers));
        var (stopped, alive) = await KilledAsync(kills, tool);
        var page = FormattableString.Invariant($$"""
            # What a reading of the memory costs the process

            Made by `dotnet run -c Release --project tests/Tpwatch.Benchmarks -- inside --tool FILE`, where FILE is the `dotnet-tpwatch.dll` of an
            installed package. {{MachineWords.Of([], load)}}

            A stretch of {{Window.TotalSeconds:0}} s with a reading every second, after one without, {{pairs}} pairs; "two without" compares two stretches
            without any reading, so its distance from 1 is chance. The reader needs a processor itself for half a second, which is counted to it
            and not to the target; where the target uses them all, its threads and the reader's wait for each other.

            | target | what | two without: median (least..most) | with a reading every second |
            |---|---|---|---|
            {{string.Join('\n', rows)}}

            Of {{answers.Asked}} readings {{answers.Given}} came to something{{(answers.Why is { } why ? $"; of the first other: {why.TrimEnd('.')}" : "")}}.

            {{kills}} readers were killed (SIGKILL) at random moments within {{KillWithinMs}} ms of their start. The target was looked at every 2 ms:
            seen stopped or traced {{stopped}} times; it {{(alive ? "ran on" : "DID NOT RUN ON")}}.

            """);
        Console.Write(page);
        if (!dry)
            await File.WriteAllTextAsync(Path.Combine(BuiltPrograms.Root, "tests", "INSIDE-PRICE.md"), page);
        return stopped == 0 && alive ? 0 : 1;
    }

    static async Task<IEnumerable<string>> PairsAsync(string what, int chains, int pairs, string tool, Answers answers)
    {
        await using var load = await LoadProcess.StartAsync(chains, LoadProcess.Ticking);
        await Task.Delay(Apart);
        List<(double Share, double Ticks)> nothing = [], read = [];
        for (var pair = 0; pair < pairs; pair++)
        {
            nothing.Add(Compare(await MeasureAsync(load, 0, tool, answers), await MeasureAsync(load, 0, tool, answers)));
            read.Add(Compare(await MeasureAsync(load, 0, tool, answers), await MeasureAsync(load, load.Pid, tool, answers)));
        }

        string Row(string measured, Func<(double Share, double Ticks), double> of) =>
            $"| {what} | {measured} | {new Spread(nothing.Select(of)).Ratio()} | {new Spread(read.Select(of)).Ratio()} |";
        string[] rows = [Row("longest tick of 1 ms, times that of the stretch without", p => p.Ticks)];
        return chains > 0 ? rows.Prepend(Row("items a processor-second, as a share of the stretch without", p => p.Share)) : rows;
    }

    static (double Share, double Ticks) Compare((double PerCpu, double Ticks) without, (double PerCpu, double Ticks) with) =>
        (with.PerCpu / without.PerCpu, with.Ticks / without.Ticks);

    static async Task<(double PerCpu, double Ticks)> MeasureAsync(LoadProcess load, int readPid, string tool, Answers answers)
    {
        var before = await load.ReadTicksAsync();
        var begun = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(begun) < Window)
        {
            var next = Task.Delay(Apart);
            if (readPid > 0)
                await ReadAsync(readPid, tool, answers);
            await next;
        }

        var after = await load.ReadTicksAsync();
        return ((after.Items - before.Items) * 1000 / (after.CpuMs - before.CpuMs), after.LongestMs);
    }

    static async Task ReadAsync(int pid, string tool, Answers answers)
    {
        LaunchSpec own = new(BuiltPrograms.Host, ["exec", tool]);
        var outcome = await new InsideChild(own, TimeProvider.System).TakeAsync(pid, scan: false, CancellationToken.None);
        answers.Asked++;
        answers.Given += outcome.Reading is null ? 0 : 1;
        answers.Why ??= outcome.Failure;
        if (outcome.Reading is null)
            Console.Error.WriteLine(outcome.Failure);
    }

    /// <summary>How many readings were asked for, and how many came to something.</summary>
    sealed class Answers
    {
        public int Asked { get; set; }

        public int Given { get; set; }

        public string? Why { get; set; }
    }

    static async Task<(int Stopped, bool Alive)> KilledAsync(int kills, string tool)
    {
        await using var load = await LoadProcess.StartAsync(1, LoadProcess.Ticking);
        using var over = new CancellationTokenSource();
        var (pid, stopped) = (load.Pid, 0);
        var looking = Task.Factory.StartNew(
            () =>
            {
                for (; !over.IsCancellationRequested; Thread.Sleep(2))
                    stopped += StateOf(pid) is 'T' or 't' ? 1 : 0;
            }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        for (var i = 0; i < kills; i++)
        {
            using var reader = Process.Start(new ProcessStartInfo(
                BuiltPrograms.Host, ["exec", tool, InsideChild.Verb, pid.ToString(CultureInfo.InvariantCulture)])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
            await Task.Delay(Random.Shared.Next(KillWithinMs));
            reader.Kill();
            await reader.WaitForExitAsync();
        }

        await over.CancelAsync();
        await looking;
        var before = await load.ReadTicksAsync();
        await Task.Delay(Apart);
        return (stopped, (await load.ReadTicksAsync()).Items > before.Items);
    }

    // The name before it may hold anything.
    static char StateOf(int pid)
    {
        var text = File.ReadAllText($"/proc/{pid}/stat");
        return text[text.LastIndexOf(')') + 2];
    }
}
