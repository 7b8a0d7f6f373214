namespace Tpwatch.Events;

/// <summary>An occurrence in the target, as a value with its event time.</summary>
interface IFact
{
    EventTime At { get; }

    /// <summary>Passes this fact to a sink.</summary>
    void Tell(IFactSink sink);
}
