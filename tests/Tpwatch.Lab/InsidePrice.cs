using System.Diagnostics;
using Tpwatch.Core;
using Tpwatch.Inside;

namespace Tpwatch.Lab;

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
        if (words.Rest.Count > 0)
            return words.Refuse("inside takes --pairs N, --kills N, --tool FILE, --dry");
        var (load, readings) = (MachineWords.LoadNow(), new Readings(tool));
        string[] rows = [.. await PairsAsync("idle", 0, pairs, readings),
            .. await PairsAsync("saturated", Environment.ProcessorCount * 4, pairs, readings)];
        var (stopped, alive) = await KilledAsync(kills, tool);
        var page = $$"""
            # What a reading of the memory costs the process

            Made by `dotnet run -c Release --project tests/Tpwatch.Lab -- inside --tool FILE`, where FILE is the `dotnet-tpwatch.dll` of an
            installed package. {{MachineWords.Of(load)}}

            A stretch of {{Window.TotalSeconds:0}} s with a reading every second, after one without, {{pairs}} pairs; "two without" compares two stretches
            without any reading, so its distance from 1 is chance. The reader needs a processor itself for half a second, which is counted to it
            and not to the target; where the target uses them all, its threads and the reader's wait for each other.

            | target | what | two without: median (least..most) | with a reading every second |
            |---|---|---|---|
            {{string.Join('\n', rows)}}

            Of {{readings.Asked}} readings {{readings.Given}} came to something{{(readings.Why is { } why ? $"; of the first other: {why.TrimEnd('.')}" : "")}}.

            {{kills}} readers were killed (SIGKILL) at random moments within {{KillWithinMs}} ms of their start. The target was looked at every 2 ms:
            seen stopped or traced {{stopped}} times; it {{(alive ? "ran on" : "DID NOT RUN ON")}}.

            """;
        Console.Write(page);
        if (!dry)
            await File.WriteAllTextAsync(BuiltPrograms.InTests("INSIDE-PRICE.md"), page);
        return stopped == 0 && alive ? 0 : 1;
    }

    static async Task<IEnumerable<string>> PairsAsync(string what, int chains, int pairs, Readings readings)
    {
        await using var load = await LoadProcess.StartAsync(chains, LoadProcess.Ticking);
        var turns = new Turns(load, Window, settle: TimeSpan.Zero);
        await Task.Delay(Apart);
        var (_, shares) = await turns.TakeAsync(
            pairs, turns.MeasureAsync, () => turns.MeasureAsync(() => readings.TakeAsync(load.Pid, Window, Apart)));

        string Row(string measured, Func<Shares, Spread> of) =>
            $"| {what} | {measured} | {of(shares[0]).Ratio()} | {of(shares[1]).Ratio()} |";
        string[] rows =
        [
            Row("items a processor-second, as a share of the stretch without", all => all.PerCpuSecond),
            Row("longest tick of 1 ms, times that of the stretch without", all => all.LongestMs),
        ];
        return chains > 0 ? rows : rows[1..];
    }

    /// <summary>Readings of a memory, how many were asked for, and how many came to something.</summary>
    sealed class Readings(string tool)
    {
        public int Asked { get; private set; }

        public int Given { get; private set; }

        public string? Why { get; private set; }

        public async Task TakeAsync(int pid, TimeSpan window, TimeSpan apart)
        {
            LaunchSpec own = new(BuiltPrograms.Host, ["exec", tool]);
            for (var begun = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begun) < window;)
            {
                var next = Task.Delay(apart);
                var outcome = await new MemoryReaderLauncher(own, TimeProvider.System)
                    .TakeAsync(pid, scan: false, isUrgent: true, CancellationToken.None);
                Asked++;
                Given += outcome.Reading is null ? 0 : 1;
                Why ??= outcome.Failure;
                if (outcome.Reading is null)
                    Console.Error.WriteLine(outcome.Failure);
                await next;
            }
        }
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
            using var reader = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, ["exec", tool, MemoryReaderLauncher.Verb, $"{pid}"])
            {
                RedirectStandardOutput = true, RedirectStandardError = true,
            })!;
            await Task.Delay(Random.Shared.Next(KillWithinMs));
            reader.Kill();
            await reader.WaitForExitAsync();
        }

        await over.CancelAsync();
        await looking;
        var before = await load.ReadAsync();
        await Task.Delay(Apart);
        return (stopped, (await load.ReadAsync()).Items > before.Items);
    }

    // The name before it may hold anything.
    static char StateOf(int pid)
    {
        var text = File.ReadAllText($"/proc/{pid}/stat");
        return text[text.LastIndexOf(')') + 2];
    }
}
