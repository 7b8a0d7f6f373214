using Tpwatch.Core;

namespace Tpwatch.Benchmarks.Hostile;

/// <summary>How a run of the tool ended.</summary>
sealed record ToolResult(int Code, string Out, string Error)
{
    const int Abort = 134;
    const int Fault = 139;

    /// <summary>It ended with one of these codes, and not with a bug.</summary>
    public ToolResult Is(params int[] codes)
    {
        if (Code is (int)ExitCode.Bug or Abort or Fault || Error.Contains("Unhandled exception", StringComparison.Ordinal))
        {
            throw new HarmDoneException(Harm.Crashed, $"code {Code}: {Error}");
        }

        return codes.Contains(Code) ? this : throw new HarmDoneException(Harm.WrongCode, $"code {Code}: {Error}{Out}");
    }

    /// <summary>It says this, in a result or a sentence.</summary>
    public ToolResult Says(string words) => (Out + Error).Contains(words, StringComparison.Ordinal)
        ? this
        : throw new HarmDoneException(Harm.WrongCode, $"does not say '{words}': {Error}{Out}");

    /// <summary>It does not say this.</summary>
    public ToolResult Undetected(string words) => (Out + Error).Contains(words, StringComparison.Ordinal)
        ? throw new HarmDoneException(Harm.WrongCode, $"says '{words}': {Error}{Out}")
        : this;

    /// <summary>No character in it steers a terminal or begins a line for a build server.</summary>
    public ToolResult Clean() =>
        (Out + Error).Any(c => c is '\e' or '\u009b' or '\a') || (Out + Error).Contains("\n::error::", StringComparison.Ordinal)
            ? throw new HarmDoneException(Harm.WrongCode, $"a control character: {Error}{Out}")
            : this;
}
