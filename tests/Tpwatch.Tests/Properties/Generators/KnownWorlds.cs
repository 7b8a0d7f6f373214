using System.Collections.Immutable;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>Worlds in which a law once failed, as small as they could be made. None leaves again.</summary>
static class KnownWorlds
{
    const int NoMax = PoolWorld.NoMax;

    /// <summary>
    /// A loss of events, from when and for how long: the goal was lost with them while workers were parked (TPW005), or the gate's phase
    /// (late), or a heartbeat counted what had ended before the wait (TPW009).
    /// </summary>
    public static ImmutableArray<(PoolWorld World, double FromMs, double ForMs)> Lost { get; } =
    [
        (new(2, 2, NoMax, 12)
        {
            Loads = [new(9999, 6, 0, Holds.Sleep, 3939), new(6265, 6, 491, Holds.Task, 1000)], NoiseMs = 0.2, AttachMs = 2840,
            BeatMs = 1000.3, FirstBeatMs = 94, Order = ReadingOrder.CompletedQueueWorkers, SkewMs = 0.2,
        }, 6404, 1940),
        (new(1, 1, NoMax, 9)
        {
            Loads = [new(0, 13, 0, Holds.Sleep, 1000)], ClockStepMs = 4, NoiseMs = 0.1, BeatMs = 1000.3, FirstBeatMs = 999,
            Order = ReadingOrder.WorkersCompletedQueue, SkewMs = 0.2,
        }, 355, 2996),
        (new(8, 8, 12, 6) { Loads = [new(0, 6, 0, Holds.Task, 4), new(0, 17, 1, Holds.Processor, 2733)] }, 1933, 744),
        (new(1, 1, NoMax, 10)
        {
            Loads = [new(7535, 2, 106, Holds.Sleep, 3600), new(5452, 47, 0, Holds.Processor, 10)], Climbs = [new(8380, 1)],
            ClockStepMs = 4, NoiseMs = 0.2, BeatMs = 1000.3, FirstBeatMs = 642, Order = ReadingOrder.QueueWorkersCompleted,
        }, 5599, 983),
        (new(1, 1, 4, 14) { Loads = [new(10796, 4, 0, Holds.Processor, 866), new(0, 3, 0, Holds.Task, 77)] }, 8534, 1308),
        (new(1, 6, NoMax, 8) { Loads = [new(3115, 19, 21, Holds.Sleep, 4403)], Climbs = [new(8606, 2)], AttachMs = 1418 }, 4841, 1058),
        (new(5, 5, 10, 17)
        {
            Loads = [new(0, 9, 0, Holds.Task, 4), new(9797, 46, 0, Holds.Processor, 790)], FirstBeatMs = 907,
        }, 13264, 1519),
        (new(1, 1, NoMax, 6)
        {
            Loads = [new(2854, 16, 0, Holds.Processor, 500)], Calls = [new(4870, 10, 12), new(4310, 13, 13)], AttachMs = 4311,
            FirstBeatMs = 420,
        }, 560, 2709),
        (new(1, 1, NoMax, 19)
        {
            Loads = [new(0, 47, 0, Holds.Processor, 2156)], Calls = [new(6735, 8, 11), new(2434, 23, 23)], AttachMs = 2751,
            FirstBeatMs = 933,
        }, 14979, 2378),
        (new(7, 7, NoMax, 15)
        {
            Loads = [new(10575, 17, 0, Holds.Sleep, 3655), new(8000, 39, 0, Holds.Task, 1000)], Calls = [new(555, 14, NoMax)],
            Compensates = false, ClockStepMs = 15.625, BeatMs = 1000.3, FirstBeatMs = 34, Order = ReadingOrder.CompletedQueueWorkers,
        }, 9793, 1529),
        (new(3, 3, 14, 12)
        {
            Loads = [new(6991, 66, 0, Holds.Task, 500), new(8808, 6, 0, Holds.Processor, 3360)], Climbs = [new(7003, 2)],
            ClockStepMs = 4, BeatMs = 1000.3, FirstBeatMs = 664, Order = ReadingOrder.CompletedQueueWorkers,
        }, 9518, 44),
        (new(1, 1, NoMax, 11)
        {
            Loads = [new(6996, 9, 0, Holds.Lock, 4504)], Climbs = [new(14489, 1)], ClockStepMs = 15.625, AttachMs = 4141,
        }, 8765, 659),
        (new(1, 1, NoMax, 17)
        {
            Loads = [new(4894, 26, 0, Holds.Processor, 461)], Calls = [new(4903, 16, 25), new(348, 30, 30)], AttachMs = 353,
            FirstBeatMs = 27,
        }, 11871, 1655),
        (new(7, 7, 16, 16)
        {
            Loads = [new(3195, 17, 109, Holds.Sleep, 5094)], Calls = [new(4938, 12, 16), new(950, 26, 26)], Compensates = false,
            ClockStepMs = 4, NoiseMs = 0.1, BeatMs = 250.2, FirstBeatMs = 247, Order = ReadingOrder.WorkersCompletedQueue,
        }, 3938, 1178),
        (new(6, 6, NoMax, 7) { Loads = [new(3348, 8, 0, Holds.Sleep, 1921)] }, 1680, 1670),
    ];

    /// <summary>
    /// Heartbeats that are missing; which ones, the second number says. A mean over two seconds hid processors that were busy for one of
    /// them (late, TPW003), and at a missing one nothing waited (TPW001, TPW009).
    /// </summary>
    public static ImmutableArray<(PoolWorld World, double FromMs, double ForMs)> Thinned { get; } =
    [
        (new(4, 11, NoMax, 9)
        {
            Loads = [new(2710, 14, 87, Holds.Sleep, 5562), new(2269, 2, 1307, Holds.Sleep, 250)], ClockStepMs = 4, NoiseMs = 0.2,
            BeatMs = 1000.3, FirstBeatMs = 269, Order = ReadingOrder.CompletedWorkersQueue, SkewMs = 0.1,
        }, 2471, 2545),
        (new(5, 5, NoMax, 14)
        {
            Loads = [new(11505, 7, 0, Holds.Sleep, 2519), new(1000, 68, 443, Holds.Processor, 5)], BeatMs = 1000.3, FirstBeatMs = 722,
            Order = ReadingOrder.CompletedWorkersQueue,
        }, 7644, 2073),
        (new(2, 2, NoMax, 8)
        {
            Loads = [new(1754, 3, 0, Holds.Sleep, 427), new(3707, 4, 0, Holds.Sleep, 4609)], NoiseMs = 0.1, BeatMs = 1000.3,
            FirstBeatMs = 607, Order = ReadingOrder.CompletedQueueWorkers, SkewMs = 0.2,
        }, 2617, 45),
        (new(1, 1, NoMax, 3) { Loads = [new(1201, 1, 0, Holds.Processor, 1590)], FirstBeatMs = 791 }, 4355, 558),
        (new(1, 1, NoMax, 10)
        {
            Loads = [new(7618, 7, 0, Holds.Task, 2077)], Calls = [new(9541, 7, NoMax)], FirstBeatMs = 695,
        }, 13608, 1323),
        (new(1, 3, NoMax, 9)
        {
            Loads = [new(3454, 40, 0, Holds.Sleep, 500)], BeatMs = 1000.3, FirstBeatMs = 953, SkewMs = 0.1,
        }, 20915, 43),
        (new(1, 1, NoMax, 4) { Loads = [new(1627, 1, 0, Holds.Processor, 1590)] }, 5163, 5),
        (new(1, 1, NoMax, 7)
        {
            Loads = [new(10938, 1, 0, Holds.Sleep, 500), new(10938, 4, 0, Holds.Sleep, 3979)], ClockStepMs = 15.625, NoiseMs = 0.2,
            AttachMs = 8454, BeatMs = 1000.3, FirstBeatMs = 266, SkewMs = 0.1,
        }, 6046, 888),
        (new(1, 1, NoMax, 3) { Loads = [new(1245, 1, 0, Holds.Sleep, 1001)], FirstBeatMs = 245 }, 4833, 2502),
        (new(2, 2, NoMax, 13)
        {
            Loads = [new(3237, 3, 54, Holds.Sleep, 1635), new(1999, 6, 1291, Holds.Sleep, 9)], ClockStepMs = 4, BeatMs = 250.2,
            FirstBeatMs = 985, Order = ReadingOrder.WorkersCompletedQueue, SkewMs = 0.1,
        }, 3849, 44),
        (new(3, 3, NoMax, 4)
        {
            Loads = [new(8333, 6, 0, Holds.Sleep, 4193), new(7279, 1, 0, Holds.Sleep, 250)], Compensates = false, NoiseMs = 0.3,
            AttachMs = 7338, BeatMs = 1000.3, FirstBeatMs = 191, Order = ReadingOrder.WorkersCompletedQueue,
        }, 566, 44),
        (new(1, 1, NoMax, 14)
        {
            Loads = [new(5474, 1, 0, Holds.Processor, 1817)], Compensates = false, NoiseMs = 0.3, AttachMs = 2517, BeatMs = 1000.3,
            FirstBeatMs = 546, Order = ReadingOrder.WorkersCompletedQueue, SkewMs = 0.2,
        }, 3220, 26),
        (new(1, 1, NoMax, 4) { Loads = [new(2100, 1, 0, Holds.Sleep, 1001)] }, 511, 36),
        (new(7, 1, NoMax, 6)
        {
            Loads = [new(10290, 2, 0, Holds.Sleep, 5036), new(10000, 9, 1438, Holds.Processor, 707)], ClockStepMs = 15.625,
            NoiseMs = 0.1, AttachMs = 7080, BeatMs = 1000.3, FirstBeatMs = 820, Order = ReadingOrder.CompletedQueueWorkers,
            SkewMs = 0.2,
        }, 5212, 513),
        (new(1, 1, NoMax, 2) { Loads = [new(453, 1, 0, Holds.Sleep, 1001)], FirstBeatMs = 453 }, 11393, 1761),
        (new(1, 1, NoMax, 5) { Loads = [new(3140, 1, 0, Holds.Processor, 1578)], FirstBeatMs = 718 }, 8665, 38),
        (new(1, 1, NoMax, 4) { Loads = [new(2280, 1, 0, Holds.Processor, 1590)], FirstBeatMs = 870 }, 2193, 2886),
        (new(1, 1, NoMax, 5)
        {
            Loads = [new(2942, 1, 0, Holds.Processor, 1951)], AttachMs = 1651, BeatMs = 1000.3, FirstBeatMs = 881,
            Order = ReadingOrder.QueueWorkersCompleted,
        }, 3986, 2174),
        (new(3, 3, NoMax, 11) { Loads = [new(7503, 3, 0, Holds.Processor, 3002)] }, 1347, 1512),
        (new(4, 4, NoMax, 14)
        {
            Loads = [new(8984, 7, 0, Holds.Sleep, 1896), new(9720, 23, 0, Holds.Processor, 405)], Compensates = false,
            ClockStepMs = 15.625, NoiseMs = 0.2, BeatMs = 1000.3, FirstBeatMs = 519, SkewMs = 0.2,
        }, 910, 2472),
        (new(7, 7, NoMax, 11)
        {
            Loads = [new(3885, 3, 92, Holds.Lock, 4243), new(8081, 58, 193, Holds.Processor, 5654)], ClockStepMs = 4, NoiseMs = 0.1,
            BeatMs = 1000.3, FirstBeatMs = 872, Order = ReadingOrder.WorkersCompletedQueue, SkewMs = 0.2,
        }, 8109, 347),
        (new(1, 1, 7, 8)
        {
            Loads = [new(3001, 4, 0, Holds.Sleep, 5388), new(928, 71, 1036, Holds.Processor, 500)], ClockStepMs = 15.625,
            NoiseMs = 0.1, BeatMs = 1000.3, FirstBeatMs = 737, Order = ReadingOrder.CompletedQueueWorkers,
        }, 6451, 37),
        (new(2, 2, NoMax, 9)
        {
            Loads = [new(5610, 4, 30, Holds.Sleep, 3840), new(0, 68, 1285, Holds.Processor, 10)], BeatMs = 1000.3, FirstBeatMs = 572,
            Order = ReadingOrder.WorkersCompletedQueue, SkewMs = 0.2,
        }, 7428, 24),
        (new(1, 1, NoMax, 3) { Loads = [new(510, 1, 0, Holds.Processor, 1590)] }, 5192, 2080),
        (new(4, 4, NoMax, 14)
        {
            Loads = [new(5166, 10, 0, Holds.Lock, 4919), new(7000, 44, 641, Holds.Lock, 250), new(10000, 3, 0, Holds.Sleep, 4100)],
            Calls = [new(5373, 19, NoMax)], ClockStepMs = 15.625, AttachMs = 216, BeatMs = 1000.3, FirstBeatMs = 280,
            Order = ReadingOrder.QueueWorkersCompleted, SkewMs = 0.2,
        }, 3341, 597),
        (new(2, 2, 12, 15)
        {
            Loads = [new(11736, 5, 51, Holds.Sleep, 2529), new(8330, 49, 64, Holds.Task, 435)], ClockStepMs = 4, NoiseMs = 0.1,
            BeatMs = 1000.3, FirstBeatMs = 201, Order = ReadingOrder.WorkersCompletedQueue, SkewMs = 0.2,
        }, 9928, 21),
        (new(4, 19, NoMax, 7)
        {
            Loads = [new(3947, 21, 0, Holds.Sleep, 2330), new(959, 36, 87, Holds.Sleep, 1)], ClockStepMs = 15.625, NoiseMs = 0.3,
        }, 1637, 10),
        (new(2, 4, NoMax, 8)
        {
            Loads = [new(2823, 4, 0, Holds.Processor, 2032)], BeatMs = 1000.3, FirstBeatMs = 417,
            Order = ReadingOrder.QueueWorkersCompleted, SkewMs = 0.2,
        }, 7702, 1),
        (new(2, 2, NoMax, 6)
        {
            Loads = [new(2601, 4, 0, Holds.Sleep, 3003), new(1133, 1, 174, Holds.Sleep, 470)], Compensates = false, NoiseMs = 0.1,
            BeatMs = 1000.3, FirstBeatMs = 602, SkewMs = 0.1,
        }, 2790, 21),
        (new(6, 6, 15, 16)
        {
            Loads = [new(11982, 9, 0, Holds.Sleep, 464), new(949, 8, 1235, Holds.Sleep, 5002), new(6999, 7, 520, Holds.Sleep, 4180)],
            Compensates = false, ClockStepMs = 4, NoiseMs = 0.1, BeatMs = 1000.3, FirstBeatMs = 978,
            Order = ReadingOrder.CompletedQueueWorkers, SkewMs = 0.2,
        }, 5655, 1004),
        (new(1, 3, 4, 3) { Loads = [new(0, 5, 415, Holds.Sleep, 2657)], FirstBeatMs = 657 }, 2690, 32),
    ];

    /// <summary>
    /// A pool that kept the rules: limits set while task waits go on begin the delay of the next step anew, the goal moved in the middle of
    /// a gap with busy processors, or an item waited for a moment at the very heartbeat that is asked.
    /// </summary>
    public static ImmutableArray<PoolWorld> KeptRules { get; } =
    [
        new(4, 4, NoMax, 2) { Loads = [new(0, 16, 0, Holds.Task, 1100)], Calls = [new(624, 16, NoMax)] },
        new(1, 1, 12, 16)
        {
            Loads = [new(4612, 3, 0, Holds.Processor, 3976)], Climbs = [new(11118, -1)], NoiseMs = 0.2, AttachMs = 4131,
            FirstBeatMs = 792, Order = ReadingOrder.CompletedWorkersQueue, SkewMs = 0.2,
        },
        new(5, 5, NoMax, 9)
        {
            Loads = [new(6152, 22, 0, Holds.Task, 1603)], Calls = [new(6891, 9, NoMax)], ClockStepMs = 4, BeatMs = 1000.3,
            FirstBeatMs = 678,
        },
        new(1, 1, NoMax, 11) { Loads = [new(5710, 21, 0, Holds.Task, 4390)], Calls = [new(9304, 12, NoMax)] },
        new(1, 20, NoMax, 21)
        {
            Loads = [new(2991, 37, 0, Holds.Task, 4007)], Calls = [new(6366, 37, NoMax)], ClockStepMs = 15.625, AttachMs = 4485,
            BeatMs = 1000.3, FirstBeatMs = 174, Order = ReadingOrder.QueueCompletedWorkers, SkewMs = 0.2,
        },
        new(1, 1, NoMax, 14)
        {
            Loads = [new(3512, 2, 13, Holds.Task, 1053)], NoiseMs = 0.1, BeatMs = 1000.3, FirstBeatMs = 511,
            Order = ReadingOrder.WorkersCompletedQueue, SkewMs = 0.2,
        },
        new(1, 1, NoMax, 5) { Loads = [new(2920, 10, 0, Holds.Task, 1852)], Calls = [new(4547, 9, NoMax)], FirstBeatMs = 772 },
        new(3, 3, NoMax, 24)
        {
            Loads = [new(703, 3, 0, Holds.Processor, 3741)], ClockStepMs = 15.625, NoiseMs = 0.1, BeatMs = 2000.4, FirstBeatMs = 300,
            Order = ReadingOrder.QueueCompletedWorkers, SkewMs = 0.2,
        },
        new(1, 1, NoMax, 6)
        {
            Loads = [new(1866, 17, 0, Holds.Task, 3827)], Calls = [new(5092, 7, NoMax)], ClockStepMs = 15.625, NoiseMs = 0.1,
            BeatMs = 1000.3, FirstBeatMs = 498, SkewMs = 0.2,
        },
        new(3, 3, NoMax, 21)
        {
            Loads = [new(2948, 27, 0, Holds.Task, 3918), new(2947, 12, 0, Holds.Lock, 2000)],
            Calls = [new(6187, 11, NoMax), new(9872, 19, NoMax)], ClockStepMs = 15.625, NoiseMs = 0.1, AttachMs = 7533,
            BeatMs = 1000.3, FirstBeatMs = 617, Order = ReadingOrder.CompletedQueueWorkers, SkewMs = 0.1,
        },
        new(4, 4, NoMax, 8) { Loads = [new(5198, 23, 0, Holds.Task, 2360)], Calls = [new(6898, 13, NoMax)] },
        new(7, 10, NoMax, 22)
        {
            Loads = [new(6963, 29, 0, Holds.Task, 1467)], Calls = [new(7864, 25, NoMax)], ClockStepMs = 15.625, NoiseMs = 0.2,
            AttachMs = 1155, BeatMs = 1000.3, FirstBeatMs = 234, Order = ReadingOrder.CompletedQueueWorkers,
        },
        new(2, 6, NoMax, 11)
        {
            Loads = [new(3955, 19, 0, Holds.Task, 3018)], Calls = [new(5006, 11, NoMax)], NoiseMs = 0.1, BeatMs = 2000.4,
            FirstBeatMs = 788, Order = ReadingOrder.QueueCompletedWorkers,
        },
        new(1, 1, NoMax, 25)
        {
            Loads = [new(8405, 2, 0, Holds.Processor, 4468)], Climbs = [new(11898, -2)], Compensates = false, ClockStepMs = 4,
            AttachMs = 5679, BeatMs = 1000.3, FirstBeatMs = 249, Order = ReadingOrder.QueueWorkersCompleted, SkewMs = 0.1,
        },
        new(2, 2, NoMax, 24)
        {
            Loads = [new(5993, 19, 0, Holds.Task, 2084)], Calls = [new(7593, 7, NoMax)], ClockStepMs = 4, NoiseMs = 0.2,
            BeatMs = 250.2, FirstBeatMs = 62, Order = ReadingOrder.CompletedWorkersQueue, SkewMs = 0.2,
        },
        new(1, 1, NoMax, 3) { Loads = [new(1067, 1, 0, Holds.Processor, 1501)], BeatMs = 2000.4, FirstBeatMs = 567 },
        new(1, 1, NoMax, 3) { Loads = [new(1201, 1, 0, Holds.Processor, 1591)], BeatMs = 2000.4, FirstBeatMs = 791 },
        new(1, 1, NoMax, 10)
        {
            Loads = [new(5188, 1, 0, Holds.Processor, 1501)], BeatMs = 2000.4, FirstBeatMs = 592,
            Order = ReadingOrder.CompletedWorkersQueue, SkewMs = 0.2,
        },
    ];
}
