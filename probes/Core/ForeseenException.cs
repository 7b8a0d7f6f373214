namespace Tpwatch.Core;

/// <summary>A failure that was foreseen and can be explained: one sentence, one hint, one exit code, never a stack trace.</summary>
public sealed class ForeseenException(string sentence, string hint, ExitCode exitCode, Exception? cause = null)
    : Exception(sentence, cause)
{
    /// <summary>What the user can do about it, one sentence.</summary>
    public string Hint { get; } = hint;

    /// <summary>The exit code of the program when nothing else handles this.</summary>
    public ExitCode ExitCode { get; } = exitCode;
}
