using System.Diagnostics;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Order;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Inside;

/// <summary>Readings that have to come in time, of processes that are large or busy.</summary>
[Collection(AloneCollection.Name)]
public sealed class InsideSteadyTests
{
    const int LimitMs = 5 * 60 * 1000;

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory(Timeout = LimitMs)]
    [InlineData]
    [InlineData("--scan")]
    public async Task A_large_heap_hides_nothing_and_costs_no_time_unless_it_is_searched(params string[] options)
    {
        await using var target = await InsideTarget.StartAsync(
            TargetRuntime.Net10, "heap", Cancel, "--heap-mb", "2000", "--seconds", "120");
        var seen = await InsideCommand.ReadAsync(target.Pid, Cancel, options);
        Assert.All(target.Truth.Waits, wait => Assert.True(seen.Right(wait) == wait.Threads, $"{wait}\n{seen.Line}"));
        Assert.InRange(seen.Ms, 0.1, options.Length > 0 ? 10_000 : 3_000);
    }

    [Fact(Timeout = LimitMs, Explicit = true)]
    public async Task Nearly_every_wait_is_found_while_all_objects_move_and_the_process_goes_on()
    {
        const int Count = 10;
        await using var target = await InsideTarget.StartAsync(TargetRuntime.Net10, "busy", Cancel, "--seconds", "180");
        var before = target.ProcessorTime;
        var (right, told, there) = (0, 0, 0);
        for (var i = 0; i < Count; i++)
        {
            var seen = await InsideCommand.ReadAsync(target.Pid, Cancel);
            foreach (var wait in target.Truth.Waits)
            {
                var found = seen.In(wait.Frame).Sum(one => one.Threads);
                Assert.InRange(found, 0, wait.Threads);
                told += found;
                right += seen.Right(wait);
                there += wait.Threads;
            }
        }

        TestContext.Current.SendDiagnosticMessage("waits found while all objects moved: {0} of {1}, told {2}", right, there, told);
        // Of 200 not one is told wrong; a look that came to nothing on a crowded machine tells none.
        Assert.Equal(told, right);
        Assert.InRange((double)right / there, 0.9, 1);
        Assert.False(target.HasEnded);
        // It has had its share of the processors all the while, and still has.
        Assert.InRange((target.ProcessorTime - before).TotalMilliseconds, 1_000, double.MaxValue);
        var after = target.ProcessorTime;
        await Task.Delay(TimeSpan.FromSeconds(1), Cancel);
        Assert.InRange((target.ProcessorTime - after).TotalMilliseconds, 100, double.MaxValue);
    }
}

/// <summary>Readings of processes that are crowded, frozen, gone or not .NET at all, and readers that are killed.</summary>
public sealed class InsideHarmlessTests
{
    const int LimitMs = 5 * 60 * 1000;

    const int Readings = 8;

    const int Kills = 12;

    /// <summary>A whole run of the reader, cold, takes about so long.</summary>
    const int KillWithinMs = 800;

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact(Timeout = LimitMs)]
    public async Task A_thousand_threads_at_one_place_are_all_counted()
    {
        await using var target = await InsideTarget.AtRestAsync(TargetRuntime.Net10, "threads", Cancel);
        var seen = await InsideCommand.ReadAsync(target.Pid, Cancel);
        var found = seen.In("Doors.Await");
        Assert.Equal((1000, 0), (found.Sum(wait => wait.Threads), found.Sum(wait => wait.Workers)));
        Assert.InRange(seen.Threads, 1000, 1030);
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_million_items_are_all_counted_though_perhaps_not_all_named()
    {
        await using var target = await InsideTarget.StartAsync(TargetRuntime.Net10, "queue", Cancel, "--items", "1000000");
        var seen = await InsideCommand.ReadAsync(target.Pid, Cancel);
        Assert.Equal((1_000_000, 1_000_000), (seen.Queued("total"), seen.Queued("global") + seen.Queued("assignable")));
        var named = seen.Queued("named");
        Assert.InRange(named, 1_000, 1_000_000);
        Assert.Equal(named, seen.Kinds().Values.Sum());
        Assert.All(target.Truth.Queue!.Kinds.Keys, kind => Assert.InRange((double)seen.Kind(kind) / named, 0.2, 0.3));
    }

    [Fact(Timeout = LimitMs)]
    public async Task No_reading_stops_the_process_for_a_moment()
    {
        await using var target = await InsideTarget.StartAsync(TargetRuntime.Net10, "waits", Cancel, "--seconds", "180");
        using var states = new TargetStates(target.Pid);
        for (var i = 0; i < Readings; i++)
        {
            await InsideCommand.ReadAsync(target.Pid, Cancel);
        }

        states.NeverStopped();
        Assert.False(target.HasEnded);
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_reader_that_is_killed_leaves_the_process_as_it_was()
    {
        await using var target = await InsideTarget.StartAsync(TargetRuntime.Net10, "waits", Cancel, "--seconds", "180");
        using var states = new TargetStates(target.Pid);
        for (var i = 0; i < Kills; i++)
        {
            await KilledAsync(target.Pid, TimeSpan.FromMilliseconds(Random.Shared.Next(KillWithinMs)));
        }

        states.NeverStopped();
        Assert.False(target.HasEnded);
        var seen = await InsideCommand.ReadAsync(target.Pid, Cancel);
        Assert.All(target.Truth.Waits, wait => Assert.Equal(wait.Threads, seen.In(wait.Frame).Sum(one => one.Threads)));
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_process_that_ends_meanwhile_is_read_or_one_sentence_says_so()
    {
        var read = 0;
        for (var i = 0; i < Readings; i += 2)
        {
            read += (await Task.WhenAll(ExitsAsync(), ExitsAsync())).Sum();
        }

        TestContext.Current.SendDiagnosticMessage("processes that ended: {0} of {1} readings came first", read, Readings);
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_process_without_dotnet_is_refused_in_a_sentence()
    {
        using var sleep = Process.Start("sleep", ["60"]);
        try
        {
            InsideCommand.IsRefusal(await InsideCommand.RunAsync(sleep.Id, Cancel));
        }
        finally
        {
            sleep.Kill();
            await sleep.WaitForExitAsync(CancellationToken.None);
        }

        InsideCommand.IsRefusal(await InsideCommand.RunAsync(sleep.Id, Cancel));
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_frozen_process_is_read_or_refused_in_time_and_stays_frozen()
    {
        await using var target = await InsideTarget.StartAsync(TargetRuntime.Net10, "waits", Cancel);
        await Signal.SendAsync("STOP", target.Pid, Cancel);
        try
        {
            // A reading that takes half a minute is killed, and the test with it.
            Told(await InsideCommand.RunAsync(target.Pid, Cancel));
            Assert.Contains("\nState:\tT", await File.ReadAllTextAsync($"/proc/{target.Pid}/status", Cancel), StringComparison.Ordinal);
        }
        finally
        {
            await Signal.SendAsync("CONT", target.Pid, CancellationToken.None);
        }

        var seen = await InsideCommand.ReadAsync(target.Pid, Cancel);
        Assert.All(target.Truth.Waits, wait => Assert.Equal(wait.Threads, seen.In(wait.Frame).Sum(one => one.Threads)));
    }

    static async Task<int> ExitsAsync()
    {
        await using var target = await InsideTarget.ToldAsync(TargetRuntime.Net10, "exits", Cancel);
        return Told(await InsideCommand.RunAsync(target.Pid, Cancel)) ? 1 : 0;
    }

    /// <summary>Whether there is a reading; where there is none, a sentence says why.</summary>
    static bool Told(ToolRun run)
    {
        if (run.Code != 0)
        {
            InsideCommand.IsRefusal(run);
            return false;
        }

        _ = SeenInside.Parse(run.Out);
        return true;
    }

    static async Task KilledAsync(int pid, TimeSpan after)
    {
        var start = InsideCommand.Start(pid);
        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (true, true, true);
        using var reader = Process.Start(start)!;
        await Task.Delay(after, Cancel);
        reader.Kill(entireProcessTree: true);
        await reader.WaitForExitAsync(Cancel);
    }
}
