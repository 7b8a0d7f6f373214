namespace Tpwatch.Core;

/// <summary>An expected failure that tpwatch can explain: one sentence, one hint and one exit code, never a stack trace.</summary>
public sealed class UserErrorException(string sentence, string hint, ExitCode exitCode, Exception? cause = null)
    : Exception(sentence, cause)
{
    /// <summary>The action that the user can take, one sentence.</summary>
    public string Hint { get; } = hint;

    /// <summary>The exit code of the program when no other code handles the exception.</summary>
    public ExitCode ExitCode { get; } = exitCode;
}
