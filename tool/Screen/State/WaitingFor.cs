namespace Tpwatch.Screen.State;

/// <summary>A process that tpwatch waits for. The searching thread writes <see cref="LastTry"/>, the screen's thread reads it.</summary>
/// <param name="name">Name of the process.</param>
/// <param name="limit">Maximum time to wait for the process.</param>
/// <param name="every">Time between two searches.</param>
sealed class WaitingFor(string name, TimeSpan limit, TimeSpan every)
{
    volatile string lastTry = "";

    public string Name => name;
    public TimeSpan Limit => limit;
    public TimeSpan Every => every;

    /// <summary>The result of the last search, one sentence.</summary>
    public string LastTry
    {
        get => lastTry;
        set => lastTry = value;
    }
}
