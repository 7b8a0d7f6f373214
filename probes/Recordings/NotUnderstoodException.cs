namespace Tpwatch.Recordings;

/// <summary>The stream holds what this reader does not know, or what cannot be: it is left to the library as it is.</summary>
/// <param name="what">What it was, as a part of a sentence.</param>
sealed class NotUnderstoodException(string what) : Exception(what);
