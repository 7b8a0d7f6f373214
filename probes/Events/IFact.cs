namespace Tpwatch.Events;

/// <summary>Something that happened in the target, as a value with the moment at which it did.</summary>
interface IFact
{
    EventTime At { get; }

    /// <summary>Hands it to a sink.</summary>
    void Tell(IFactSink sink);
}
