namespace Tpwatch.Stacks;

/// <summary>
/// Calls that wait for work: a loop around one of them is at rest when there is none, and hangs nothing. Of packages those that are met
/// most; a wait for a task tells nothing, whatever is awaited.
/// </summary>
static class ParkedCalls
{
    /// <summary>Types by name without type arguments, and how the names of their methods begin.</summary>
    static readonly (string Type, string Method)[] Known =
    [
        ("BlockingCollection", "Take"), ("BlockingCollection", "TryTake"), ("BlockingCollection", "GetConsumingEnumerable"),
        ("Socket", "Accept"), ("TcpListener", "Accept"), ("HttpListener", "GetContext"), ("UdpClient", "Receive"),
        ("NamedPipeServerStream", "WaitForConnection"), ("FileSystemWatcher", "WaitForChanged"),
        ("Console", "Read"), ("ConsoleStream", "Read"),
        ("Consumer", "Consume"), ("SafeKafkaHandle", "ConsumerPoll"), ("SharedQueue", "Dequeue"), ("MessageQueue", "Receive"),
    ];

    /// <summary>Whether one of the frames is such a call.</summary>
    public static bool IsIn(IEnumerable<FrameName> frames) => frames.Any(f => Known.Any(
        k => f.Type.Split('`')[0] == k.Type && f.Method.StartsWith(k.Method, StringComparison.Ordinal)));
}
