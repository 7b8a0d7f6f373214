using System.Collections.Immutable;
using System.Text.RegularExpressions;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Findings;
using Tpwatch.Tests.Ledger;
using Tpwatch.Tests.Render;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Reporting;
using Tpwatch.Tests.Screen;
using Tpwatch.Tests.Stacks;
using Tpwatch.Tests.Stacks.Holders;
using Tpwatch.Tests.WhatIf.Study;
using Tpwatch.Text;
using Tpwatch.Watch;
using Tpwatch.WhatIf;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Docs.Words;

/// <summary>
/// Every sentence about a report, in one file: each shape with numbers, moments and names left out, how many reports say it, and an
/// example. The reports are those of the stored runs, and constructed ones for what no run shows.
/// </summary>
public sealed partial class SentenceCatalogueTests
{
    static readonly Lazy<Task<ImmutableArray<(string Kind, string Sentence)[]>>> Said = new(SaidAsync);

    [Fact]
    public async Task The_catalogue_holds_every_sentence()
    {
        var shapes = (await Said.Value).Concat(await PlayedAsync())
            .SelectMany(report => report.GroupBy(one => (one.Kind, Shape: Shape(one.Sentence))))
            .GroupBy(one => one.Key, (key, reports) => (key.Kind, key.Shape, Reports: reports.ToArray()));
        Golden.Verify("sentences.txt", string.Join('\n', shapes.OrderBy(one => one.Shape, StringComparer.Ordinal)
            .GroupBy(one => one.Kind).OrderBy(kind => kind.Key, StringComparer.Ordinal).Select(kind => $"# {kind.Key}\n"
                + string.Concat(kind.Select(one => FormattableString.Invariant($"{one.Reports.Length,4}  {one.Shape}\n")
                    + (one.Reports[0].First().Sentence is var example && example == one.Shape ? "" : $"      {example}\n"))))));
    }

    [Fact]
    public async Task Its_sentences_are_short_and_in_plain_words()
    {
        var sentences = (await Said.Value).SelectMany(report => report).Distinct().ToArray();
        var whole = sentences.Where(one => IsWhole(one.Kind)).Select(one => one.Sentence).Distinct().ToArray();
        Assert.True(whole.Length > 1000, $"only {whole.Length} sentences were recognised");
        var breaches = whole.SelectMany(PlainWords.Breaches)
            .Concat(sentences.Where(one => !IsWhole(one.Kind)).SelectMany(one => PlainWords.InWording(one.Sentence))).ToArray();
        Assert.True(breaches.Length == 0, string.Join('\n', breaches));
    }

    // The others are parts of lines.
    static bool IsWhole(string kind) => kind is "headline" or "cause" or "forecast: basis" or "forecast: condition"
        || kind.EndsWith("because", StringComparison.Ordinal)
        || (kind.StartsWith("TPW", StringComparison.Ordinal) && !kind.EndsWith("setting", StringComparison.Ordinal));

    static async Task<ImmutableArray<(string Kind, string Sentence)[]>> SaidAsync()
    {
        var said = ImmutableArray.CreateBuilder<(string Kind, string Sentence)[]>();
        foreach (var name in TestRecordings.All)
        {
            var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
            var priced = TestRecordings.Names.Any(one => one.Data == name) ? StandardWhatIfs.AddTo(report, new EstimatedItems()) : report;
            said.Add([.. Told(priced), .. Held(priced)]);
        }

        said.AddRange(Constructed().Select(report => Told(report).ToArray()));
        said.AddRange(Headed().Select(one =>
            Kinds(($"headline, {one.What}", Headline(one.Report))).ToArray()));
        said.AddRange(Readings().Select(reading => Told(reading).ToArray()));
        return said.ToImmutable();
    }

    static string Headline(PoolReport report) =>
        HeadlineWords.Of(report, report.Findings, ReportBuilder.Facts(report), byKey: false);

    // What Wording makes of the facts of a report.
    static IEnumerable<(string Kind, string Sentence)> Told(PoolReport report)
    {
        var screen = CauseWords.Shortly(report);
        return Kinds(
        [
            ("verdict", VerdictWords.Of(report)), ("verdict", VerdictWords.Lasting(report)),
            ("verdict, how long", VerdictWords.HowLong(report)),
            ("first line", report.Verdict is Verdict.Healthy or Verdict.Undecided ? null : ShortReportRenderer.First(report)),
            ("cause", CauseWords.Of(report)), ("cause, on the screen", screen.Long), ("cause, brief", screen.Brief),
            ("delays, counted", DelayWords.Tally(report.Tally)), ("forecast: new item", DelayWords.NewItem(report)),
            .. report.InjectionDelays.SelectMany(delay => new[]
            {
                ("delay: judgement", DelayWords.Of(delay)), ("delay: judgement", DelayWords.Distance(delay)),
                ("delay: what ended it", DelayWords.EndedBy(delay)), ("delay: mark", DelayWords.Mark(delay)),
            }),
            .. (report.Blockers ?? []).Select(b =>
                ("culprit", (string?)BlockingPlaceWords.InFull(b, report.Bursts?.WaitsFor ?? WaitsFor.Unknown))),
        ]);
    }

    // What a report holds in words; that of a constructed report is the test's own.
    static IEnumerable<(string Kind, string Sentence)> Held(PoolReport report) => Kinds(
    [
        ("headline", report.Headline), ("headline by key", report.HeadlineByKey == report.Headline ? null : report.HeadlineByKey),
        ("forecast: basis", report.Forecast?.StartDelayOfNewItem?.Basis), ("forecast: basis", report.Forecast?.QueueEmpty?.Basis),
        ("forecast: condition", report.Forecast?.NextInjection?.Condition),
        .. report.InjectionDelays.Select(delay => ($"delay {delay.Mechanism}: because", (string?)delay.Because)),
        .. report.InjectionDelays.SelectMany(delay => delay.Ticks).SelectMany(check =>
            new[] { ("gate check", check.Why), ("gate check: spoken", (string?)check.Spoken) }),
        .. report.WhatIf.SelectMany(effect =>
            new[] { $"{effect.Change}. {effect.Effect}", effect.Basis, effect.Uncertainty, effect.Unknown })
            .Select(text => ("what-if", text)),
        .. report.Findings.SelectMany(finding => Told(finding).Select(one => ($"{finding.Id} {one.Kind}", one.Text))),
        .. report.Undecided.Select(open => ($"{open.Id} undecided", (string?)open.Missing)),
    ]);

    static IEnumerable<(string Kind, string? Text)> Told(Finding finding) =>
    [
        ("title", finding.Title), ("headline", finding.Headline), ("cause", finding.Cause.Words),
        .. finding.Evidence.SelectMany(e => new[] { ("evidence", (string?)EvidenceText.Of(e)), ("source", EvidenceText.Source(e)) }),
        .. finding.Remedies.SelectMany(r => new[]
        {
            ("remedy", r.Text), ("remedy", (string?)r.ByKey), ("setting", r.Setting is null ? null : RemedyWords.Of(r)),
        }),
    ];

    static IEnumerable<(string Kind, string Sentence)> Kinds(params IEnumerable<(string Kind, string? Text)> texts) =>
        texts.Where(one => one.Text is { Length: > 0 })
            .SelectMany(one => ReportSentences.Split(one.Text!.Replace('\u00a0', ' ')).Select(sentence => (one.Kind, sentence)));

    /// <summary>What stacks, items, requests and memory add, which few runs have.</summary>
    static IEnumerable<PoolReport> Constructed() =>
    [
        SampleReports.Healthy(), SampleReports.Starved(), SampleReports.SilentlyStarved(), SampleReports.Damaged(), DeepReports.Starved(),
        RequestReports.Starved(), Some.StarvingBurst(), Some.Found(), SomeDeep.Stacks(), Some.Compensated(), Some.Foretold(),
        Some.Undetected(), Some.Lossy(),
        Deepened.WithStacks(
            SampleReports.Starved() with { Depth = CaptureDepth.Inside }, StacksSeen.None.WithReading(SomeInside.Starved())),
    ];

    /// <summary>What only tests play. It is held as it is: a few of these sentences are longer than those of the stored runs.</summary>
    static async Task<(string Kind, string Sentence)[][]> PlayedAsync()
    {
        var whatIf = (await WhatIfWordsTests.ToldAsync()).Select(text => ("what-if", (string?)text));
        return
        [
            .. Played().Select(ReportBuilder.Of).Select(report => Told(report).Concat(Held(report)).ToArray()), Kinds(whatIf).ToArray(),
        ];
    }

    /// <summary>What the tests of the rules and of the ledger play, judged as it is.</summary>
    static IEnumerable<PoolReport> Played() =>
    [
        .. ReportBuilderTests.Told, .. HiddenQueueTests.Told, .. HiddenHangTests.Told,
        .. Tpw004ColdBurstTests.Told, .. Tpw005CeilingTests.Told, .. Tpw006CpuSaturationTests.Told, .. Tpw007MixedBlockingTests.Told,
        .. Tpw008HighMemoryTests.Told, .. Tpw009LongItemsTests.Told, .. Tpw010DeadlockTests.Told, .. Tpw011LateCallbacksTests.Told,
        .. Tpw012HillClimbingTests.Told, .. Tpw013IdleTimeoutTests.Told, .. Tpw014SuspensionTests.Told, .. Tpw015OneCpuTests.Told,
        .. Tpw016WedgedTests.Told, .. Tpw017DoesNotApplyTests.Told, .. Tpw022LockCycleTests.Told, .. GrowthTests.Told,
        .. InsideEvidenceTests.Told, .. MinThreadsRemedyTests.Told, .. CompensationTests.Told, .. CooperativeGapTests.Told,
        .. PoolLedgerTests.Told, .. StandstillEvidenceTests.Told, .. StarvationGapTests.Told, .. WaitCodeTests.Told,
        .. WhatStacksLackTests.Told, .. OutsideThreadsTests.Told,
    ];

    /// <summary>Every verdict while it lasts and when it is over, and pools that have nothing to do.</summary>
    static IEnumerable<(string What, PoolReport Report)> Headed()
    {
        var starved = SampleReports.Starved();
        var seen = starved.Timeline with { Levels = starved.Timeline.Levels with { Workers = 50 } };
        var idle = new PoolScript().Processors(8).Limits(8, 32767).CounterSamples(0).Pass(4000).Report();
        Blocker first = new("Shop.Transfer.Move", 1, 2, BlockKind.Lock, []) { Brief = "Transfer.Move", Call = "Monitor.Enter" };
        return
        [
            .. from verdict in Enum.GetValues<Verdict>()
               where verdict is not (Verdict.NotThePool or Verdict.Healthy or Verdict.Compensated)
               from max in verdict == Verdict.StarvedAtMax ? new int?[] { 12, null } : [null]
               from lasts in new[] { true, false }
               select ($"{verdict}{(max is null ? "" : " known")} {(lasts ? "now" : "over")}", starved with
               {
                   Verdict = verdict, IsNow = lasts, Episodes = [.. starved.Episodes.Select(e => e with { Kind = verdict })],
                   Timeline = seen with
                   {
                       Target = seen.Target with { MaxWorkers = max is { } known ? new(known, SettingSource.Event) : SourcedValue.Unknown },
                   },
               }),
            .. from lasts in new[] { true, false }
               select ($"waits for tasks {(lasts ? "now" : "over")}", starved with
               {
                   IsNow = lasts,
                   Adjustments = ImmutableSortedDictionary<AdjustmentReason, int>.Empty.Add(AdjustmentReason.CooperativeBlocking, 5),
               }),
            ("idle", idle), ("idle, two in a call", idle with { Blockers = [first] }),
            ("idle, one in a call", idle with { Blockers = [first with { Threads = 1 }] }),
            ("idle, three hold items", idle with { Inside = new() { At = new(0), Limits = new(8, 32767, 3, 0) } }),
            ("idle, two wait for work", idle with { Blockers = [first with { IsParked = true }] }),
        ];
    }

    /// <summary>Readings of memory: every end of a wait, and every state of queue and threads that a moment can show.</summary>
    static IEnumerable<InsideReading> Readings()
    {
        var wait = new InsideWait("Baskets.Total", "Task.Result", 4) { Workers = 4, End = WaitEnd.Socket };
        var some = SomeInside.Starved();
        return
        [
            some, some with { Queue = some.Queue! with { Named = 20 } }, some with { Queue = null, Waits = [wait] },
            .. from ends in Enum.GetValues<WaitEnd>()
               from chain in new ImmutableArray<string>[] { [], ["PriceAsync"], [.. "ABCDEFGH".Select(c => $"{c}")] }
               select some with
               {
                   Waits = [wait with { End = ends, Chain = chain, DueMs = 4100, Owner = "thread 512, in Accounts.SlowAudit" }],
               },
            .. from threads in new[] { 1, 3, 61 }
               from workers in new[] { 0, 1, threads }
               from ran in new[] { 0, 3 }
               select some with
               {
                   Waits = [wait with { Threads = threads, Workers = workers }], Limits = new(8, 100, 2 * threads, 1), Running = ran,
               },
            .. from working in new[] { 0, 4, 6 }
               from queued in new[] { 0, 1, 9 }
               from blocked in new WaitEnd?[] { null, WaitEnd.Socket, WaitEnd.InQueue }
               from most in new[] { 4, 32767 }
               select new InsideReading
               {
                   At = default, Limits = new(4, most, working, 0), Queue = new(queued, 0, 0, 0, 0) { Named = queued },
                   Waits = blocked is { } ends ? [wait with { End = ends }] : [],
               },
        ];
    }

    static IEnumerable<(string Kind, string Sentence)> Told(InsideReading reading)
    {
        var moment = InsideJudgement.Of(reading);
        return Kinds(
        [
            ($"moment {moment.Verdict}", moment.Sentence),
            .. reading.Waits.Select(w => ($"inside: wait for {w.End}", InsideWords.Of(w, reading))),
            .. reading.Unknown.Select(u => ("inside: not known", InsideWords.Of(u))), ("inside: taken", InsideWords.Taken(reading)),
            ("inside: limits", reading.Limits is { } limits ? InsideWords.Of(limits) : null),
            .. reading.Queue is { } queue
                ? [("inside: queue", InsideWords.Places(queue)), ("inside: queue", InsideWords.Kinds(queue, 2)),
                    ("inside: queue", InsideWords.Kinds(queue, 9))]
                : Array.Empty<(string, string?)>(),
        ]);
    }

    /// <summary>The sentence without what differs from run to run.</summary>
    static string Shape(string sentence) => List.Replace(Number.Replace(
        Chain.Replace(Dotted.Replace(Route.Replace(sentence, "ROUTE"), "NAME"), "NAME"), "N"), "${one}, ...");

    [GeneratedRegex(@"\b(?:GET|POST|PUT|DELETE) /[^\s,;:]*")]
    static partial Regex Route { get; }

    [GeneratedRegex(@"\b[A-Za-z_]\w*(?:<[\w, ]+>)?(?:\.[A-Za-z_]\w*(?:<[\w, ]+>)?)+(?:\([^)]*\))?")]
    static partial Regex Dotted { get; }

    [GeneratedRegex(@"NAME(?: > [\w.<>`]+)+|(?:[\w.<>`]+ > )+NAME(?: > [\w.<>`]+)*")]
    static partial Regex Chain { get; }

    [GeneratedRegex(@"(?<![\w.])[+-]?\d[\d .]*(?<=\d)(?: (?:ms|s|min|h)\b)*")]
    static partial Regex Number { get; }

    [GeneratedRegex(@"(?<one>N (?:async )?(?:NAME|\w+))(?:, N (?:async )?(?:NAME|\w+))+")]
    static partial Regex List { get; }
}
