namespace Tpwatch.Core;

/// <summary>How to start a program: the executable file, and the arguments that precede the caller's arguments.</summary>
sealed record LaunchSpec(string File, ImmutableArray<string> Words);
