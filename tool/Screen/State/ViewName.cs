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

/// <summary>A set of views, such as those on which a key has a meaning.</summary>
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

    /// <summary>The views with a time axis that the keys zoom and scroll.</summary>
    Timelines = Overview | Climbing,

    /// <summary>The views with an event of the pool under the cursor.</summary>
    Events = Overview | Injections | Climbing,

    /// <summary>The views with a table of events or findings.</summary>
    Lists = Injections | Climbing | Findings,

    /// <summary>The views with a table, including the stacks, whose rows have no time.</summary>
    Rows = Lists | Stacks,

    Everywhere = Overview | Injections | Stacks | Latency | Climbing | Findings,
}

/// <summary>Tests on sets of views.</summary>
static class ViewSets
{
    public static bool Has(this ViewSet set, ViewName view) => (set & (ViewSet)(1 << (int)view)) != 0;
}
