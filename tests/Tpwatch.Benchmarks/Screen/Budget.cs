namespace Tpwatch.Benchmarks.Screen;

/// <summary>One budget of the screen and what was measured.</summary>
/// <param name="What">What it is about.</param>
/// <param name="Limit">What it must stay within.</param>
/// <param name="Before">What it was in the tool before; null where none was measured.</param>
/// <param name="Now">What it is.</param>
/// <param name="Holds">Whether it does; null when it has no limit.</param>
sealed record Budget(string What, string Limit, string? Before, string Now, bool? Holds)
{
    public static string Row(Budget budget) =>
        $"| {budget.What} | {budget.Limit} | {budget.Before ?? "-"} | {budget.Now} | "
        + $"{(budget.Holds is { } holds ? holds ? "held" : "**missed**" : "-")} |";
}
