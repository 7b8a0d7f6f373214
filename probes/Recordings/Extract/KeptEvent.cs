namespace Tpwatch.Recordings.Extract;

/// <summary>An event that somebody looks at, with everything that its reader can ask of it; without its stack.</summary>
readonly record struct KeptEvent(EventHeader Header, byte[] Payload);
