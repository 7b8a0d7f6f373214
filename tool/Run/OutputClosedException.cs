namespace Tpwatch.Run;

/// <summary>The receiver of standard output has closed the pipe, as <c>head</c> does after its last line; not an error.</summary>
sealed class OutputClosedException() : Exception("the reader of the output has gone");
