using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>All views, in the order of their keys.</summary>
static class AllViews
{
    public static ImmutableArray<IView> InOrder { get; } =
        [new OverviewTab(), new InjectionsView(), new StacksView(), new LatencyView(), new ClimbingView(), new FindingsView()];

    public static IView Of(ViewName name) => InOrder[(int)name];
}
