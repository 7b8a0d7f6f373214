namespace Tpwatch.Screen.State;

/// <summary>A process that is waited for; written by whoever looks, read by the screen.</summary>
/// <param name="name">Its name.</param>
/// <param name="limit">When to give up.</param>
/// <param name="every">Time between two looks.</param>
sealed class WaitingFor(string name, TimeSpan limit, TimeSpan every)
{
    volatile string lastTry = "";

    public string Name => name;
    public TimeSpan Limit => limit;
    public TimeSpan Every => every;

    /// <summary>What the last look answered, one sentence.</summary>
    public string LastTry
    {
        get => lastTry;
        set => lastTry = value;
    }
}
