using Tpwatch.Assertions;

namespace Tpwatch.Export;

/// <summary>How the answer to a condition is said.</summary>
static class Outcomes
{
    /// <summary>One word: <c>met</c> is bad news.</summary>
    public static string Word(Outcome outcome) => outcome switch
    {
        Outcome.Met => "met",
        Outcome.NotMet => "not met",
        _ => "unanswered",
    };
}
