namespace Tpwatch.Run;

/// <summary>Whoever read our output has gone, as <c>head</c> does when it has seen enough; no failure of anybody.</summary>
sealed class OutputClosedException() : Exception("the reader of the output has gone");
