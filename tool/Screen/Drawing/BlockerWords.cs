namespace Tpwatch.Screen.Drawing;

/// <summary>What holds worker threads, in the few words that a line has room for.</summary>
static class BlockerWords
{
    /// <summary>What stands before the method where a compiler's name is spoken: "lambda in X.Y", "local function F of X.Y".</summary>
    static readonly ImmutableArray<string> Spoken = [" in ", " of ", "async "];

    /// <summary>The method without its namespace, parameters and lambdas: <c>Inventory.Reserve</c>.</summary>
    public static string ShortName(string frame)
    {
        var plain = frame.Split('(')[0];
        var begins = Spoken.Max(word => plain.LastIndexOf(word, StringComparison.Ordinal) is >= 0 and var at ? at + word.Length : 0);
        var name = plain[begins..].Split(' ')[0];
        var parts = name[(name.IndexOf('!', StringComparison.Ordinal) + 1)..].Split('.');
        return string.Join('.', parts.TakeLast(2));
    }

    /// <summary>
    /// Where it is, for a line. A delegate without a name is known by its route; of a method that left no frame the call is all there is.
    /// </summary>
    public static string Place(Blocker blocker) => blocker switch
    {
        { IsNameless: true, Route: { } route } => route,
        { LeftNoFrame: true, Call: { } call } => ShortName(call),
        { IsNameless: true } or { LeftNoFrame: true } => blocker.Frame,
        { Route: { } route } when IsInMain(blocker.Frame) => route,
        _ => ShortName(blocker.Frame),
    };

    // A lambda that the program's entry point maps to a route; "Program.Main" would be taken for the start of the program.
    static bool IsInMain(string frame) => frame.StartsWith("lambda in ", StringComparison.Ordinal) && ShortName(frame) == "Program.Main";

    /// <summary>What it waits in, in a word.</summary>
    public static string Kind(Blocker blocker) => blocker.Kind switch
    {
        BlockKind.Lock => "lock",
        _ when blocker.Call is { } call => ShortName(call),
        BlockKind.Task => "task wait",
        BlockKind.Io => "I/O",
        BlockKind.Sleep => "sleep",
        BlockKind.Wait or BlockKind.Unseen => "wait",
        _ => "native code",
    };
}
