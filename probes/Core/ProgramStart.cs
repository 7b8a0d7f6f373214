namespace Tpwatch.Core;

/// <summary>How a program is started: the file, and the words before those of the one who starts it.</summary>
sealed record ProgramStart(string File, ImmutableArray<string> Words);
