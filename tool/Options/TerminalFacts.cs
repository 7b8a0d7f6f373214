using Tpwatch.Screen;

namespace Tpwatch.Options;

/// <summary>What the process talks to.</summary>
/// <param name="IsInteractive">Keys can be read and a screen can be drawn: input and output are a
/// terminal that understands more than lines.</param>
/// <param name="Width">Columns of the terminal; null when the output goes elsewhere.</param>
sealed record TerminalFacts(bool IsInteractive, int? Width)
{
    /// <summary>Somebody sees standard error on a terminal that understands a return to the beginning of the line.</summary>
    public bool IsErrorSeen { get; init; }

    /// <summary>A pipe, a file or a log.</summary>
    public static TerminalFacts None { get; } = new(IsInteractive: false, Width: null);

    /// <summary>What this process talks to.</summary>
    public static TerminalFacts OfThisProcess()
    {
        var dumb = string.Equals(Environment.GetEnvironmentVariable("TERM"), "dumb", StringComparison.Ordinal);
        var interactive = ScreenHost.IsPossible(Environment.GetEnvironmentVariable);
        return new(interactive, Console.IsOutputRedirected ? null : WindowWidth.Columns())
        {
            IsErrorSeen = !Console.IsErrorRedirected && !dumb,
        };
    }
}
