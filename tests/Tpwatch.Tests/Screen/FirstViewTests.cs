using Tpwatch.Cli;
using Tpwatch.Core;
using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Stacks;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Screen;

/// <summary>What somebody reads who looks for the first time: verdict, cause, action, and the finding with its remedy.</summary>
public sealed class FirstViewTests
{
    const int StatusRow = 2;

    [Theory]
    [InlineData(80, 24)]
    [InlineData(100, 30)]
    public void With_stacks_the_third_line_names_the_call_and_who_shows_more(int width, int height)
    {
        var report = Some.StarvingBurst(12) with { Blockers = SomeDeep.Stacks().Blockers };
        ScreenScript.Of(report, width, height)
            .Expect(" STARVED 8.5 s: 12 sampled threads blocked in OrderRepo.Load")
            .Expect(width < 100 ? ". See 3" : ". 3 shows the stack").Run();
    }

    [Theory]
    [InlineData("Shop!Shop.Orders+<>c.<Load>b__0_0(class System.Object)", "Orders.Load", "lambda in Orders.Load")]
    [InlineData("Shop!Shop.Orders.<Load>g__Take|3_0()", "Orders.Load", "local function Take of Orders.Load")]
    [InlineData("Shop!Shop.Orders+<Load>d__3.MoveNext()", "Orders.Load", "async Orders.Load")]
    [InlineData("Shop!Shop.Orders.Load(int32)", "Orders.Load", "Orders.Load")]
    public void A_method_is_named_without_what_surrounds_it(string frame, string plain, string brief) =>
        Assert.Equal((plain, brief), (FrameName.Of(frame).Bare, FrameName.Of(frame).Brief));

    [Fact]
    public void For_a_lock_it_names_its_holder_where_that_is_known()
    {
        Blocker unknown = new("A.Inventory.Reserve(int)", 0.9, 35, BlockKind.Lock, []) { Plain = "Inventory.Reserve" };
        ScreenScript.Of(Some.StarvingBurst(12) with { Blockers = [unknown] }, 100, 30)
            .Expect("35 threads blocked in Inventory.Reserve (lock). 3 shows the stack").Run();
        var known = unknown with
        {
            Owner = "thread 7 in Inventory.Audit > Thread.Sleep",
            OwnerDoes = new("Inventory.Audit", "Inventory.Audit", false, ["Thread.Sleep"]),
        };
        ScreenScript.Of(Some.StarvingBurst(12) with { Blockers = [known] }, 100, 30)
            .Expect("35 blocked in Inventory.Reserve. Lock holder: Inventory.Audit > Thread.Sleep").Run();
        ScreenScript.Of(Some.StarvingBurst(12) with { Blockers = [known] }, 80, 24)
            .Expect("35 blocked in Inventory.Reserve. Lock holder: Inventory.Audit").Run();
        ScreenScript.Of(Some.StarvingBurst(12) with { Blockers = [known with { Brief = "Inventory.Audit" }] }, 80, 24)
            .Expect("35 blocked in Inventory.Reserve. Lock holder: in Thread.Sleep").Run();
        ScreenScript.Of(Some.StarvingBurst(12) with { Blockers = [unknown with { Owner = "thread 7" }] }, 80, 24)
            .Expect("35 threads blocked in Inventory.Reserve. Lock holder: thread 7").Run();
    }

    [Theory]
    [InlineData(80, 24)]
    [InlineData(100, 30)]
    public void A_place_without_a_name_of_its_own_is_its_route_or_the_call(int width, int height)
    {
        Blocker endpoint = new("an ASP.NET Core endpoint", 0.9, 35, BlockKind.Task, [])
        {
            IsNameless = true,
            Routes = [new("GET /orders/{n}", 1, true)],
            Call = "System.Threading.Tasks.Task.Result",
        };
        Blocker gone = new("a method without a stack frame", 0.9, 3, BlockKind.Wait, [])
        {
            IsNameless = true,
            LeftNoFrame = true,
            Call = "WaitHandle.WaitOne",
        };
        ScreenScript.Of(Some.StarvingBurst(12) with { Blockers = [endpoint] }, width, height)
            .Expect("35 threads blocked in GET /orders/{n}").Run();
        ScreenScript.Of(Some.StarvingBurst(12) with { Blockers = [gone] }, width, height)
            .Expect("3 sampled threads blocked in WaitHandle.WaitOne. " + (width < 100 ? "See 3" : "3 shows the stack")).Run();
    }

    [Fact]
    public void Without_stacks_it_names_the_key_that_takes_them_and_one_press_does()
    {
        var probes = new FakeProbes();
        ScreenScript.Of(Some.StarvingBurst(12), 80, 24).With(new() { Probes = () => probes }).Ticks(1)
            .Expect(": all 16 threads blocked. t finds the call (pauses about 30 ms)")
            .Press("t").Check(_ => Assert.Equal([(OptionalProbe.Stacks, true)], probes.Turned)).Run();
    }

    [Fact]
    public void A_processor_that_is_busy_is_no_thread_that_blocks()
    {
        var report = Some.StarvingBurst(12) with
        {
            Verdict = Verdict.Saturated,
            Blockers = [new("A.Sum", 0.9, 8, BlockKind.Cpu, [])],
        };
        ScreenScript.Of(report, 100, 30).Expect(": processors are busy, most threads compute in A.Sum. More threads do not help")
            .ExpectNot("blocked in").Run();
    }

    [Theory]
    [InlineData(Verdict.Saturated, "saturated")]
    [InlineData(Verdict.Held, "held")]
    [InlineData(Verdict.SilentlyStarved, "starved")]
    public void The_lane_of_what_lasts_is_named_by_the_headline_s_own_word(Verdict verdict, string word)
    {
        var burst = Some.StarvingBurst(12);
        var report = burst with { Verdict = verdict, Episodes = [burst.Episodes[0] with { Kind = verdict }] };
        Assert.Single(Rows(report, new(), 80, 24), r => r.StartsWith(word, StringComparison.Ordinal));
        var mixed = report with { Episodes = [.. report.Episodes, burst.Episodes[0] with { Kind = Verdict.NotThePool }] };
        Assert.Single(Rows(mixed, new(), 80, 24), r => r.StartsWith("trouble", StringComparison.Ordinal));
    }

    [Fact]
    public void Where_others_take_the_processors_it_tells_what_the_finding_below_tells()
    {
        var found = Some.Found();
        var leading = found.Findings[0] with
        {
            Severity = Severity.Serious,
            Cause = new(CauseKind.NoProcessor, "no processor free for the worker threads"),
        };
        var report = Some.StarvingBurst(12) with { Findings = [leading] };
        ScreenScript.Of(report, 100, 30).Expect(": no processor free for the worker threads. More threads do not help").Run();
    }

    [Theory]
    [InlineData(80, 24)]
    [InlineData(100, 30)]
    public void The_finding_stands_there_whole_with_its_remedies(int width, int height)
    {
        var found = Some.Found().Findings[0];
        var text = Text(Some.Found(), new(), width, height);
        Assert.Contains(found.Headline, text, StringComparison.Ordinal);
        Assert.All(found.Remedies, remedy => Assert.Contains(OnScreen(remedy.Text), text, StringComparison.Ordinal));
    }

    // A key of the screen does what the command would; before it was pressed nobody is told a number that may be of no use.
    static string OnScreen(string text) => text.StartsWith("Workaround, only once", StringComparison.Ordinal)
        ? "Do not raise MinThreads before you know the call: if all threads wait for one lock, more threads do not help."
        : text.Replace("run dotnet tpwatch report -p 41822 --depth stacks", "press t when items wait again",
            StringComparison.Ordinal);

    [Fact]
    public void At_any_size_no_word_of_the_finding_is_cut()
    {
        var words = Some.Found().Findings.SelectMany(f => f.Remedies.Select(r => OnScreen(r.Text) + " " + r.Setting)
            .Append(f.Headline).Append(f.Title)
            .Concat(f.Evidence.Select(e => $"{e.Text}{e.Joint}{e.Value:0.#} {e.Unit} {e.Value:0.#}% 1.0 s")))
            .SelectMany(t => t.Split(' ')).Concat(["What", "Seen", "Do", "1", "2", "Also", ".."]).Append("TPW001").ToHashSet();
        for (var width = LiveWindow.MinWidth; width < 160; width += 11)
        {
            for (var height = LiveWindow.MinHeight; height < 50; height += 5)
            {
                var panel = Rows(Some.Found(), new(), width, height)
                    .SkipWhile(r => !r.Contains("TPW001", StringComparison.Ordinal)).Skip(1).SkipLast(1);
                Assert.All(panel.SelectMany(r => r.Split(' ', StringSplitOptions.RemoveEmptyEntries)), w => Assert.Contains(w, words));
            }
        }
    }

    [Theory]
    [InlineData(80, 24)]
    [InlineData(100, 30)]
    public void A_healthy_target_raises_nothing(int width, int height)
    {
        var text = Text(Some.Healthy(), new(), width, height);
        Assert.Contains(" HEALTHY: no queue time of 1 s or more in 18.0 s. Look at what requests await", text, StringComparison.Ordinal);
        Assert.Contains("Looked at: 18.0 s of events", text, StringComparison.Ordinal);
        Assert.DoesNotContain("TPW", text, StringComparison.Ordinal);
        Assert.DoesNotContain('!', text);
        Assert.Contains(" none added", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Neither_codes_nor_judgements_nor_moves_are_there_unless_asked_for()
    {
        var plain = Rows(Some.Found(), new(), 100, 30);
        Assert.DoesNotContain(plain, r => r.StartsWith("judged", StringComparison.Ordinal));
        Assert.DoesNotContain(plain, r => r.StartsWith("inject", StringComparison.Ordinal) && r.Contains('C', StringComparison.Ordinal));
        ScreenScript.Of(Some.Found(), 100, 30).Press("d").Expect("judged").Expect("C hill climbing changed the target")
            .Press("d").ExpectNot("judged").Run();
    }

    [Fact]
    public void The_oldest_item_stands_beside_the_queue_while_it_waits()
    {
        ScreenScript.Of(Some.StarvingBurst(12), 80, 24).Expect("waited 6s").Run();
        ScreenScript.Of(Some.StarvingBurst(), 80, 24).ExpectNot("oldest").Expect("peak").Run();
    }

    [Fact]
    public void The_lane_of_requests_says_how_many_there_are_now_and_with_room_how_long_the_slowest_took()
    {
        var report = Some.StarvingBurst(12);
        var second = new EventSpan(Some.At(11), Some.At(11.99));
        report = report with
        {
            Depth = CaptureDepth.Requests,
            Requests = new() { Routes = [], UnderWay = 24, Unmatched = 0, OverTime = [new(second, 9, 24, 1200)], Watched = second },
        };
        Assert.EndsWith(">=24 now", Rows(report, new(), 80, 24).Single(r => r.StartsWith("requests", StringComparison.Ordinal)),
            StringComparison.Ordinal);
        var tall = Rows(report, new(), 100, 36);
        var at = Array.FindIndex(tall, r => r.StartsWith("requests", StringComparison.Ordinal));
        Assert.EndsWith("worst 1s", tall[at], StringComparison.Ordinal);
        Assert.EndsWith(">=24 now", tall[at + 1], StringComparison.Ordinal);
        // Beside stacks only the newest are seen: no number of all.
        Assert.DoesNotContain(Rows(report with { Depth = CaptureDepth.Stacks }, new(), 80, 24),
            r => r.StartsWith("requests", StringComparison.Ordinal));
    }

    [Fact]
    public void A_target_that_sends_nothing_has_no_data_and_is_not_called_silent() => ScreenScript.Of(Some.StarvingBurst(), 80, 24)
        .Says("NO DATA", "for 5.0 s; the process is stopped (T)")
        .Expect(" NO DATA for 5.0 s; the process is stopped (T) | STARVED for 11.1 s, ended").Run();

    [Fact]
    public async Task A_what_if_says_that_the_picture_stands_still()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        ScreenScript.Of(report, 60, 24).With(new() { Imagine = WhatIfRunner.Of }).Press("w", "1").Ticks(1).Press("esc")
            .Expect("f: follow").Run();
        ScreenScript.Of(report, 60, 24).With(new() { Imagine = WhatIfRunner.Of }).Press(":").Type("whatif min 20").Press("enter").Ticks(1)
            .Expect("The picture is paused to show the what-if.").Expect("f: follow").Run();
    }

    static string[] Rows(PoolReport report, ViewState state, int width, int height)
    {
        var grid = HeadlessScreen.FrameOf(new(report, state), new(Theme.Mono, GlyphSet.Braille), width, height);
        Assert.NotEqual("", grid.Row(StatusRow).Trim());
        return [.. Enumerable.Range(0, height).Select(y => grid.Row(y).TrimEnd())];
    }

    // How lines are broken does not count.
    static string Text(PoolReport report, ViewState state, int width, int height) => string.Join(' ', string.Join(' ',
        Rows(report, state, width, height)).Split(' ', StringSplitOptions.RemoveEmptyEntries).Prepend(""));
}
