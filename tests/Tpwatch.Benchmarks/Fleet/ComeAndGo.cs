using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Fleet;

/// <summary>
/// What is left of a watcher after processes have come and gone, as many as can be started: some live too shortly to be watched, every
/// second one is killed. The watcher has a temporary folder of its own, so that a file that it leaves is seen.
/// </summary>
static class ComeAndGo
{
    /// <summary>As many as two processors start and attach to within the time that they live.</summary>
    const int AtOnce = 8;

    /// <summary>The pool of the watcher keeps threads for a while; what a process takes and does not give back would be hundreds.</summary>
    const int MostMore = 4;

    /// <summary>Of the memory after a tenth of them: the runtime's heap takes its time to find its size.</summary>
    const double MostGrowth = 1.25;

    static readonly TimeSpan Settle = TimeSpan.FromSeconds(20);
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(10);

    public static async Task<int> RunAsync(TimeSpan span, bool write)
    {
        var load = MachineWords.LoadNow();
        var figures = await OfAsync(span);
        var page = FleetPage.Of(figures, MachineWords.Of([], load));
        Console.WriteLine(page);
        if (write)
            await Figures.FiguresFile.WriteAsync(FleetPage.ComeAndGoName, page);
        return new Goals()
            .AtMost("threads more", figures.After.Threads - figures.Before.Threads, MostMore)
            .AtMost("open files more", figures.After.Descriptors - figures.Before.Descriptors, MostMore)
            .AtMost("files in the temporary folder more", figures.After.Files - figures.Before.Files, 0)
            .AtMost("memory after, times that after a tenth of them", figures.After.Megabytes / figures.Tenth.Megabytes, MostGrowth)
            .AtLeast("share that was watched", figures.Watched / (double)figures.Started, 0.5)
            .Conclude();
    }

    static async Task<ComeAndGoFigures> OfAsync(TimeSpan span)
    {
        var name = "fleet-" + Guid.NewGuid().ToString("N")[..8];
        var folder = Directory.CreateTempSubdirectory("tpwatch-fleet-").FullName;
        try
        {
            var program = Copied(folder, name);
            var temporary = Directory.CreateDirectory(Path.Combine(folder, "tmp")).FullName;
            await using var watcher = await WatcherProcess.StartAsync(["-n", name, "--older-than", "1ms"], temporary);
            await Task.Delay(Settle);
            var before = Left.Of(watcher, temporary);
            using CancellationTokenSource end = new(span);
            var going = Enumerable.Range(0, AtOnce).Select(number => ComeAsync(program, number, end.Token)).ToArray();
            await Task.Delay(span / 10);
            var tenth = Left.Of(watcher, temporary);
            var all = await Task.WhenAll(going);
            await Task.Delay(Settle);
            return new(all.Sum(one => one.Started), await watcher.ValueAsync("tpwatch_targets_ended_total"), all.Sum(one => one.Hung))
            {
                Before = before,
                Tenth = tenth,
                After = Left.Of(watcher, temporary),
            };
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    // From no time at all to seconds, so that some end while they are being attached to.
    static async Task<(int Started, int Hung)> ComeAsync(string program, int number, CancellationToken end)
    {
        var (started, hung) = (0, 0);
        for (var life = number; !end.IsCancellationRequested; life += 7)
        {
            ProcessStartInfo start = new(BuiltPrograms.Host, [program, LoadProcess.Idle, "0"])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
            };
            using var process = Process.Start(start)!;
            started++;
            await process.StandardOutput.ReadLineAsync(CancellationToken.None);
            await Task.Delay(TimeSpan.FromMilliseconds(life % AtOnce * 500), CancellationToken.None);
            if (life % 2 == 0)
                process.Kill();
            else
                process.StandardInput.Close();
            hung += await EndsAsync(process) ? 0 : 1;
        }

        return (started, hung);
    }

    // The load runs no task on its pool: it may meet the fault of the runtime that docs/cost.md tells of.
    static async Task<bool> EndsAsync(Process process)
    {
        using CancellationTokenSource limit = new(EndLimit);
        try
        {
            await process.WaitForExitAsync(limit.Token);
            return true;
        }
        catch (OperationCanceledException)
        {
            process.Kill();
            await process.WaitForExitAsync(CancellationToken.None);
            return false;
        }
    }

    // An assembly under another name is a process of another name: nobody else's are touched.
    static string Copied(string folder, string name)
    {
        var load = Path.Combine(AppContext.BaseDirectory, "Tpwatch.Load");
        var copy = Path.Combine(folder, name);
        File.Copy(load + ".dll", copy + ".dll");
        File.Copy(load + ".runtimeconfig.json", copy + ".runtimeconfig.json");
        return copy + ".dll";
    }
}

/// <summary>What a watcher holds at a moment.</summary>
/// <param name="Threads">Its threads.</param>
/// <param name="Descriptors">Its open files and sockets, without the assemblies that it has loaded by then.</param>
/// <param name="Files">Files and sockets in its temporary folder.</param>
/// <param name="Megabytes">Its resident memory.</param>
sealed record Left(int Threads, int Descriptors, int Files, double Megabytes)
{
    public static Left Of(WatcherProcess watcher, string temporary) => new(watcher.Threads, watcher.OpenFiles.Count(f => !IsProgram(f)),
        Directory.GetFileSystemEntries(temporary, "*", SearchOption.AllDirectories).Length, watcher.Megabytes);

    static bool IsProgram(string file) => Path.GetExtension(file) is ".dll" or ".pdb" or ".so";
}

/// <summary>What came and went, and what was left.</summary>
/// <param name="Started">Processes.</param>
/// <param name="Watched">Those that were watched until they ended.</param>
/// <param name="Hung">Those that did not end by themselves.</param>
sealed record ComeAndGoFigures(int Started, double Watched, int Hung)
{
    /// <summary>Before the first came.</summary>
    public required Left Before { get; init; }

    /// <summary>While they came and went, after a tenth of the time.</summary>
    public required Left Tenth { get; init; }

    /// <summary>After the last had gone.</summary>
    public required Left After { get; init; }
}
