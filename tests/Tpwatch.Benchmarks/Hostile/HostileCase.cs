namespace Tpwatch.Benchmarks.Hostile;

/// <summary>What can go wrong with a case.</summary>
enum Harm
{
    /// <summary>It did not end in its time.</summary>
    Hung,

    /// <summary>It ended with a bug, an abort or a fault.</summary>
    Crashed,

    /// <summary>It ended with another exit code than is promised, or said something else.</summary>
    WrongCode,

    /// <summary>A session in the target, a file or a process is still there.</summary>
    LeftBehind,
}

/// <summary>A case that did harm.</summary>
sealed class HarmDoneException(Harm harm, string how) : Exception(how)
{
    public Harm Harm { get; } = harm;
}

/// <summary>Something hostile that is done to the tool.</summary>
/// <param name="Group">What kind of hostility.</param>
/// <param name="Name">What is done.</param>
/// <param name="Rows">Which rows of the first list of failures it repeats; empty where it held already.</param>
/// <param name="Run">Does it; throws <see cref="HarmDoneException"/>.</param>
sealed record HostileCase(string Group, string Name, int[] Rows, Func<Ground, Task> Run)
{
    /// <summary>Whether it is quick enough for every test run.</summary>
    public bool Fast { get; init; } = true;
}
