namespace Tpwatch.Benchmarks.Screen;

/// <summary>An event of a nettrace file, as far as it is needed to write it again.</summary>
/// <param name="MetadataId">Which kind of event.</param>
/// <param name="Sorted">Whether everything before it has been written.</param>
/// <param name="Thread">The thread it is about.</param>
/// <param name="CaptureThread">The thread that wrote it.</param>
/// <param name="Processor">Where it was written.</param>
/// <param name="TimeStamp">Ticks of the file's clock.</param>
/// <param name="Payload">What it says.</param>
sealed record NettraceEvent(int MetadataId, bool Sorted, long Thread,
    long CaptureThread, int Processor, long TimeStamp, ReadOnlyMemory<byte> Payload);
