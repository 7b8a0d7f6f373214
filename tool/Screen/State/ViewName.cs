namespace Tpwatch.Screen.State;

/// <summary>The views, in the order of their keys 1 to 6.</summary>
enum ViewName
{
    Overview,
    Injections,
    Stacks,
    Latency,
    Climbing,
    Findings,
}

/// <summary>On which views a key means something.</summary>
[Flags]
enum ViewSet
{
    None = 0,
    Overview = 1 << ViewName.Overview,
    Injections = 1 << ViewName.Injections,
    Stacks = 1 << ViewName.Stacks,
    Latency = 1 << ViewName.Latency,
    Climbing = 1 << ViewName.Climbing,
    Findings = 1 << ViewName.Findings,

    /// <summary>Those with an axis of time.</summary>
    Timelines = Overview | Climbing,

    /// <summary>Those on which an event of the pool is under the cursor.</summary>
    Events = Overview | Injections | Climbing,

    /// <summary>Those with rows.</summary>
    Lists = Injections | Climbing | Findings,

    /// <summary>The same and the stacks, whose rows lie nowhere in time.</summary>
    Rows = Lists | Stacks,

    Everywhere = Overview | Injections | Stacks | Latency | Climbing | Findings,
}

/// <summary>Questions about sets of views.</summary>
static class ViewSets
{
    public static bool Has(this ViewSet set, ViewName view) => (set & (ViewSet)(1 << (int)view)) != 0;
}
