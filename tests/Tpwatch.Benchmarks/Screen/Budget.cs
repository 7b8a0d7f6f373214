namespace Tpwatch.Benchmarks.Screen;

/// <summary>One budget of the screen and what was measured.</summary>
/// <param name="What">What it is about.</param>
/// <param name="Limit">What it must stay within.</param>
/// <param name="Measured">What it was.</param>
/// <param name="Holds">Whether it did; null when it could not be measured here.</param>
sealed record Budget(string What, string Limit, string Measured, bool? Holds)
{
    public static string Row(Budget budget) =>
        $"| {budget.What} | {budget.Limit} | {budget.Measured} | "
        + $"{(budget.Holds is { } holds ? holds ? "held" : "**missed**" : "not measured")} |";
}
