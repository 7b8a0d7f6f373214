namespace Tpwatch.Core;

/// <summary>How to start a program: the executable file, and the arguments that precede those of the caller.</summary>
sealed record ProgramStart(string File, ImmutableArray<string> Words);
